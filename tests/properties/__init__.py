"""What holds of every input, tried with inputs that hypothesis makes up."""

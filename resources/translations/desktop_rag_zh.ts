<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatPane</name>
    <message>
        <source>New conversation (Ctrl+N)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without a language model, answers are quotes from your documents.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Get Ollama a model, for example: ollama pull qwen3:4b</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Chips</name>
    <message>
        <source>Knowledge bases that are asked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the knowledge base “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n knowledge bases</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Asked: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Ask a question of your documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the question is researched</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model that answers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Still indexing: results may be incomplete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConversationsPane</name>
    <message>
        <source>Conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your conversations are kept here, on this computer only.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Doors</name>
    <message>
        <source>Add files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DropHint</name>
    <message>
        <source>Drop to add to “%1”</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EditingRow</name>
    <message>
        <source>Editing an earlier question. The one before is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel editing (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EmptyShelf</name>
    <message>
        <source>Drop files or folders here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF, Word, PowerPoint, Excel, Markdown, HTML, text and mail. They are read on this computer and never leave it; folders are followed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try the sample documents</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Faults</name>
    <message>
        <source>Something went wrong in the program itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can go on. The log in the data folder has the details.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>en</source>
        <comment>the code of this language</comment>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Library</name>
    <message>
        <source>Copy table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Searched as: “%1”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search as I wrote it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy with sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Notice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 with problems</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>only pictures</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>encrypted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>damaged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not supported</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>took too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no permission</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>failed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing found in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 pages, read in %2 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for files …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading files: %1 of %2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 file waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 files wait</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 passages/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a few seconds left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1 s left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>about %1 h left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LibraryPane</name>
    <message>
        <source>Folders and files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Knowledge base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Knowledge base: new, delete, look again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New knowledge base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the knowledge base “%1” with everything that was read into it? The files themselves stay where they are.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete knowledge base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Retry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files (Ctrl+O)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder (Ctrl+Shift+O)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove from the knowledge base</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New knowledge base …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for changes now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete this knowledge base …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Read every file with a problem again</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PageView</name>
    <message>
        <source>Page</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ProgressCard</name>
    <message>
        <source>Progress of indexing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop indexing; what is done stays</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on reading the files that wait</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Candidates</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many passages each first-stage search gives.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How dense and BM25 ranks are joined: reciprocal ranks or weighted scores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RRF constant</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger values flatten the ranks&apos; weights.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dense weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the dense score: 0 is BM25 alone, 1 dense alone.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reranker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What reads the best candidates a second time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reranked passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many fused candidates the reranker reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reranker weight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Share of the reranker against the fused rank in the final order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Also score for the question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In later rounds a passage&apos;s score is the better of the query&apos;s and the question&apos;s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Diversity (MMR λ)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 is relevance alone; 0.5 is the usual mix.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Near-duplicate</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passages whose word shingles overlap by this much count as one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Small to big</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hand over the surrounding passage instead of the small match.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found nothing below</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Evidence under this score counts as nothing found; -1 takes the calibrated value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chunk size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of the small pieces that are matched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Passage size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of the piece around it that is read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens that neighbouring chunks share.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Parser processes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files read at a time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds that one file may take to be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MiB that one parser process may use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Largest file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files above this many MiB are not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ignored names</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Globs, separated by commas, on top of the built-in ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Look for changes every</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds between looks at folders that send no events; 0 lets the program choose.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Embedding model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model that finds passages by their meaning.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Threads</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>CPU threads of the built-in models; 0 takes all cores.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where Ollama listens; empty takes OLLAMA_HOST or 127.0.0.1:11434.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model that answers; empty takes the first one there is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens of context, sent with every call.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens an answer may have.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0 answers the same each time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep loaded</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How long Ollama keeps the model in memory after an answer: 30s, 5m, 2h; -1 for good.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let a thinking model think before its answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How a question is researched.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only from my documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Say so when they do not hold the answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Condense follow-ups</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make a follow-up question stand alone before searching.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Order of passages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the best passage stands in the prompt.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Block everything but this computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Refuse every connection to another computer, whatever was allowed before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow another computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let Ollama or Chroma be on a host that is not this one, for this run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared Chroma server</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>An http:// address; empty keeps the vectors in the data folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The language of the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The colours of the window.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Percent of the usual size of text and controls.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Send the question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New line in the question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop the answer, or close the document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the question field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the conversation or the document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn the page of a document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Zoom a document&apos;s page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rename or delete a conversation; remove a file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This list</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SidePane</name>
    <message>
        <source>Documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard shortcuts (F1)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourceDelegate</name>
    <message>
        <source>Also retrieved (%1)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourcesModel</name>
    <message>
        <source>Also retrieved (%1)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SourcesPane</name>
    <message>
        <source>Sources of the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The passages behind an answer appear here.

Click one to open its document at the marked place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Spoken</name>
    <message>
        <source> (process {0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>, not the {0} asked for</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A folder or a name, with --set models.embedder=…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A knowledge base needs a name of one line, of at most 100 characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A source of this answer was taken out, and its quotes with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a file, or the folder that it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add it with `index` first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Allow it for the knowledge base on the settings&apos; page “Privacy” (allow_remote=true on the command line) if you trust it, or set the address to this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another Desktop RAG{0} has {1} open and does not answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Another version of Desktop RAG has this data folder open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask at its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask something.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ask the question again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin a new one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check Ollama&apos;s address in the settings, and update Ollama.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check how it is spelt.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the disk or the connection and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the file&apos;s permissions, or copy it to this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the folder&apos;s permissions, or choose another data folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Check the name at ollama.com/library.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a folder that is there, has room, and may be written to.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a number from {0} to {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a smaller model or a shorter context length, or close other programs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a strategy instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another model, or allow it for the knowledge base on the settings&apos; page “Privacy” (allow_remote=true on the command line).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name, or delete it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose another.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose auto, none or {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one of {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one of: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose one that `kb list` shows, or create it with `kb create`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the folder of your documents.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close it, then run this again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the other Desktop RAG first, then run this again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the program, and go back to a copy of the data folder or index anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Connections to other computers are blocked, and {0} is one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy or export it again and import that; nothing was changed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files of this kind ({0}) are not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files of this old Office or mail format are not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Get one, for example with `ollama pull qwen3:4b`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give the folder of a sentence-transformers model, or set models.embedder to builtin.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give yourself the right to read it and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Give yourself the right to write there, or name another with --data-dir.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many passages each round reads.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many passages the answer rests on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often it searches; 2 give most of the gain.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import it under another name: `kb import NAME FILE`. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Index the files again with `index --retry`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install Desktop RAG again, or take the model&apos;s folder from another installation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install Desktop RAG again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install the extra with `pip install desktop-rag[sentence-transformers]`, or set models.embedder to builtin.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Install the extra: desktop-rag[sentence-transformers].</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can be rebuilt.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It can&apos;t be examined: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is damaged: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is in another knowledge base: --kb {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is in the knowledge base “{0}” now.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It must be {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It waits to be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was excluded; it can be included again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was taken out of the knowledge base; the file itself is where it was.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It was {0} before.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Iterative retrieval and generation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its options are: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep or lose them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Links to other folders are not followed ({0} here, such as {1}); add those folders themselves.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room on the disk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room, or give yourself the right to write to the data folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make room, or move the data folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Make {0} GB of room and try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mend it, or delete it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mend what the message names, then run the doctor again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Missing: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Name a folder that you may write to with --data-dir.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No language model is there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No passage of your documents supports this answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not everything fits the model&apos;s context: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has to be done if you moved or deleted it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has to be done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is known of {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama at {0} takes too long to answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama broke off in the middle of its answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama could not go on with {0}: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama does not answer at {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama has no model that can answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama is busy with other requests.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama is set to {0}, which is another computer: questions and passages of your documents would be sent there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama reports an error: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama took in only {0} of about {1} prompt tokens: its context holds {2}{3}. Use fewer passages, or raise the context length in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ollama&apos;s library has no model {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open it in its own program and save it anew, or fetch it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the file itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Others may look into {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>PDF or text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page {0} is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quotes can&apos;t be treated as {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the file broke off ({0}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the file takes more memory than it may.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the file takes more than {0} MB of memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the file took longer than {0} seconds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove it, then run this again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore it from a copy, or choose another data folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run `ollama pull llama3.2:3b`, or another model that suits this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run `ollama pull {0}`, or choose another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run `ollama pull {0}`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run text recognition (OCR) on it and add the result.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run: chmod 700 {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run: desktop-rag kb rebuild {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a copy without a password and add that one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as PDF, Word, HTML or plain text and add that one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save it as {0} and add that one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>See `desktop-rag kb --help`.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Single pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Some chunks have no vector of the embedding model in use.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Something went wrong in the program itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split the file, or raise the limit in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Split the file, or raise the time limit in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start Ollama (or install it from ollama.com), then try again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start Ollama and get a model for it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start it, or empty the setting “Shared Chroma server”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the consent back on the settings&apos; page “Privacy” if you did not mean it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take the consent back with allow_remote=false if you did not mean it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Texts are sent to {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Texts of some knowledge bases are sent to {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The PDF is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The attachment {0} was not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The catalog {0} cannot be opened for writing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The catalog {0} is damaged and was left as it is.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The conversation has no message {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data folder is open under other settings of models or Chroma.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The data folder {0} can&apos;t be used: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The default is {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The document has no page {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The document is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The embedding model “{0}” is not built in, and sentence-transformers is missing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file has {0} MB; files above {1} MB are not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file holds hardly any text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file holds no bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file holds no text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged or was not written to its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is no longer there, or no longer counts.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is not a table of separated values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is protected with a password.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file may be damaged: open it in its own program and save it anew.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file may not be read by your user account.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file was gone before it could be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file would unpack to {0} MB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file&apos;s name says mail, but its content is not text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file&apos;s name says text, but its content is not text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file&apos;s name says web page, but its content is not text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file&apos;s name says {0}, but it is another archive.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file&apos;s name says {0}, but its content is not that.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files are in this knowledge base already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The files of the vector index are not as they were left.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The filter has an open quotation mark.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The index holds no text of this file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The indexes are missing or of another embedding model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The indexes cannot be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The indexes still have to be told of {0} changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The letters of the pages cannot be told: their font is odd.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The log in the data folder tells more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model file {0} cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model file {0} is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model only thought, and wrote no answer. Turn thinking off, or raise the longest answer in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model {0} cannot do this: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model {0} gave no usable vectors.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model {0} gives {1} numbers a token, not {2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The model {0} is not installed in Ollama.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The other Desktop RAG ended; going on without it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The page is too large to be drawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pages are pictures: they hold no text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The passages that were found match the question only weakly.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The prompt filled Ollama&apos;s context of {0} tokens, and part of it may have been cut off. Use fewer passages, or raise the context length.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The query is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The question is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings are {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings can&apos;t be written: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The settings file {0} cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The shared Chroma server does not answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system could not read the file ({0}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text is longer than {0} can take in.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vector index cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vector index crashes its reader.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vector index does not find chunks that it holds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vector index holds other chunks than the catalog.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vector index holds {0} of {1} chunks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vector index was cut short.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The word index cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The word index holds other chunks than the catalog.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The word index holds {0} of {1} chunks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The workbook is damaged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is already a file {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is already a knowledge base named “{0}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no built-in model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no conversation {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no embedding model “{0}” on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file or folder {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no file {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no kb {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no knowledge base named “{0}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no list of {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no model in {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no preset {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no reranker called “{0}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no room on the disk for what {0} holds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no setting “{0}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no strategy {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no such file or folder.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no text of {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no transform {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is not enough memory for {0}: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This Ollama does not tell how sure the model is of each token, which this strategy needs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This answer was interrupted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This answer was made of quotes from a document that was taken out. They were removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This data folder was made by a newer version of Desktop RAG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This document was taken out, and its quotes were removed from this conversation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This folder holds Desktop RAG&apos;s own data.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This folder may not be read by your user account. Give yourself the right to read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This is no file.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This knowledge base was made with another embedding model: its texts are embedded anew, which may take a while. Nothing is read again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again, or look into Ollama&apos;s log.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again; a smaller model or a shorter context length may help.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Try again; if it happens again, choose a smaller model or a shorter context length.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn thinking off in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn “Block everything but this computer” off on the settings&apos; page “Privacy” (block_remote=false on the command line), or use what is on this computer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update Ollama to 0.12.11 or newer, or choose another strategy.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update the program, or choose another data folder; nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Update the program, then import it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use fewer or shorter passages, or raise the context length in the settings.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait until it is less busy, or start it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What answers at {0} is not Ollama, or one that is too old.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What came until then is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without a language model only quotes from your documents can be given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write a number such as {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it as 2024-07-31, 2024-07 or 2024.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it like {0} in the settings, or in {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write it like {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write key:value, with a key of {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write one of {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write true or false.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write what you are looking for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a number is not between {0} and {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>chunk {0} ends after the text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in step with the catalog: {0} chunks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>indexes of {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is no object of {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>its reader ended with {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>line {0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mail in {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>model {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing else</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>one of {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>part of passage {0} ({1})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>passage {0} ({1})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>round 1: the question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>round {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>round {0}: the question and what round {1} wrote</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>set for {0}, and not used</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the current format</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>version {0} at {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without an extension</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} Paper: {1}. Needs {2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} What came until then is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} Without it only quotes can be given.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} belongs to somebody else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} can&apos;t be read: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} can&apos;t be written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} can&apos;t be written: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} cannot be reached now; what is known of its files is kept.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} cannot be {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} cannot be “{1}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} cannot think.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} from {1} to {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} has no model that answers.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} has no option {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is damaged, or is no export of Desktop RAG: {1} can&apos;t be read{2}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is incomplete.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is not an address of Ollama.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is not in “{1}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is not indexed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is on or off, not “{1}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is {1}, not “{2}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} needs a language model; a single pass is done instead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} followed folders and files are not on this computer. Their text can be searched and quoted; add them again where they are here to keep up with their changes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} pages are pictures without text and were not read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} pages have letters that cannot be told.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} passages were read, of {1} pieces that are indexed: a question that counts, lists or sums up may need more of them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} references lead nowhere.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} runs at {1}, not on this computer: questions and passages of your documents would be sent there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} starts half-written answers over, so it was asked in words to go on; strategies that continue their own text work better with another model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} was exported by a newer version of Desktop RAG.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}={1} is not possible.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” is more than one setting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” is no date.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” is no filter.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TextView</name>
    <message>
        <source>Text of the document</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Searching your documents …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the passages …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unfinished: the language model broke off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written by the language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quotes from your documents, no language model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No passage answers this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No passage of your documents supports the dotted sentence.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No passage of your documents supports the %n dotted sentences.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n searches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n calls</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%n tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 passages, %2 kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Call</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Question understood as</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sub-question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Decision</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>%1 tokens read, %2 written</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>did not fit: %1</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Viewer</name>
    <message>
        <source>Page %1 …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The file is no longer there. This is its text as it was last read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Page %1</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sources</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous page (Page Up)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next page (Page Down)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Smaller (−)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Larger (+)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As wide as the pane</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open in the system&apos;s program</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WebLinkBox</name>
    <message>
        <source>Open in the browser?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This link leads to the internet:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Ask your own documents</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add files or a folder on the left, or drop them anywhere in this window. Every answer shows the passages it comes from.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Your documents are being read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can ask as soon as the first one is done.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What would you like to know?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answers come with numbered passages; click one to see it at its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many passengers travelled in 2024?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why did fuel costs fall?</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>

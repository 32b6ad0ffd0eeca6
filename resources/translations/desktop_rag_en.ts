<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_GB" sourcelanguage="en">
<context>
    <name>AdvancedSection</name>
    <message numerus="yes">
        <source>Advanced: %n changed</source>
        <translation>
            <numerusform>Advanced: %n changed</numerusform>
            <numerusform>Advanced: %n changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Chunks</name>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n token</numerusform>
            <numerusform>%n tokens</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChunksList</name>
    <message numerus="yes">
        <source>%n passage(s)</source>
        <translation>
            <numerusform>%n passage</numerusform>
            <numerusform>%n passages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConversationsPane</name>
    <message numerus="yes">
        <source>%n conversations deleted.</source>
        <translation>
            <numerusform>%n conversations deleted.</numerusform>
            <numerusform>%n conversations deleted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The first %n places</source>
        <translation>
            <numerusform>The first %n places</numerusform>
            <numerusform>The first %n places</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n places</source>
        <translation>
            <numerusform>%n places</numerusform>
            <numerusform>%n places</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DerivedTextsPage</name>
    <message numerus="yes">
        <source>%n derived text(s)</source>
        <translation>
            <numerusform>%n derived text</numerusform>
            <numerusform>%n derived texts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>DerivedTreeModel</name>
    <message numerus="yes">
        <source>made of %n passage(s)</source>
        <translation>
            <numerusform>made of %n passage</numerusform>
            <numerusform>made of %n passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>made of %n text(s)</source>
        <translation>
            <numerusform>made of %n text</numerusform>
            <numerusform>made of %n texts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntityGraphPanel</name>
    <message numerus="yes">
        <source>Named in %n passage(s)</source>
        <translation>
            <numerusform>Named in %n passage</numerusform>
            <numerusform>Named in %n passages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The %n strongest neighbour(s) are drawn.</source>
        <translation>
            <numerusform>The %n strongest neighbour are drawn.</numerusform>
            <numerusform>The %n strongest neighbours are drawn.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>EntityGraphView</name>
    <message numerus="yes">
        <source>Together in %n passage(s)</source>
        <translation>
            <numerusform>Together in %n passage</numerusform>
            <numerusform>Together in %n passages</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ErrorDialog</name>
    <message numerus="yes">
        <source>This came up %n time(s).</source>
        <translation>
            <numerusform>This came up %n time.</numerusform>
            <numerusform>This came up %n times.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FoundServerRow</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>IndexingAnnouncer</name>
    <message numerus="yes">
        <source>%n file(s) looked at.</source>
        <translation>
            <numerusform>%n file looked at.</numerusform>
            <numerusform>%n files looked at.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with a problem.</source>
        <translation>
            <numerusform>%n with a problem.</numerusform>
            <numerusform>%n with a problem.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ModelChoicePage</name>
    <message numerus="yes">
        <source>%n processor core(s)</source>
        <translation>
            <numerusform>%n processor core</numerusform>
            <numerusform>%n processor cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NotesPage</name>
    <message numerus="yes">
        <source>%n notes deleted.</source>
        <translation>
            <numerusform>%n notes deleted.</numerusform>
            <numerusform>%n notes deleted.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RecoveryDialog</name>
    <message numerus="yes">
        <source>%n knowledge base(s), conversation(s) or question set(s) have new names.</source>
        <translation>
            <numerusform>%n knowledge base, conversation or question set have new names.</numerusform>
            <numerusform>%n knowledge bases, conversations or question sets have new names.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ScopeRow</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchTestPage</name>
    <message numerus="yes">
        <source>%n passage(s) found</source>
        <translation>
            <numerusform>%n passage found</numerusform>
            <numerusform>%n passages found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SearchTestView</name>
    <message numerus="yes">
        <source>Options: %n changed</source>
        <translation>
            <numerusform>Options: %n changed</numerusform>
            <numerusform>Options: %n changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message numerus="yes">
        <source>%1 answers at %2 within %3 ms, with %n model(s).</source>
        <translation>
            <numerusform>%1 answers at %2 within %3 ms, with %n model.</numerusform>
            <numerusform>%1 answers at %2 within %3 ms, with %n models.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message numerus="yes">
        <source>Reading finished: %n file(s) read</source>
        <translation>
            <numerusform>Reading finished: %n file read</numerusform>
            <numerusform>Reading finished: %n files read</numerusform>
        </translation>
    </message>
</context>
</TS>

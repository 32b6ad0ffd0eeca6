<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutCard</name>
    <message>
        <source>About Desktop RAG</source>
        <translation>关于 Desktop RAG</translation>
    </message>
    <message>
        <source>Version %1, with Qt %2.</source>
        <translation>版本 %1，使用 Qt %2。</translation>
    </message>
    <message>
        <source>Everything is kept in %1: settings, texts, conversations, logs.</source>
        <translation>一切都保存在 %1：设置、文本、对话和日志。</translation>
    </message>
    <message>
        <source>Open the data folder</source>
        <translation>打开数据文件夹</translation>
    </message>
    <message>
        <source>Under the Apache License 2.0. Qt is used under the GNU LGPL, version 3, and can be replaced by a version of your own.</source>
        <translation>采用 Apache 许可证 2.0。Qt 依据 GNU LGPL 第 3 版使用，可以替换为您自己的版本。</translation>
    </message>
</context>
<context>
    <name>AdaptationCard</name>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Adapt anew</source>
        <translation>重新适配</translation>
    </message>
    <message>
        <source>Adapt</source>
        <translation>适配</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Questions are being proposed from the documents…</source>
        <translation>正在根据文档拟定问题……</translation>
    </message>
    <message>
        <source>At work · %1 of %2 questions</source>
        <translation>进行中 · 问题 %1 / %2</translation>
    </message>
    <message>
        <source>Not adapted · takes some minutes; questions can be asked meanwhile</source>
        <translation>未适配 · 需要几分钟；期间可以照常提问</translation>
    </message>
    <message>
        <source>Adapted: more is found</source>
        <translation>已适配：能找到更多</translation>
    </message>
    <message>
        <source>Not kept: no gain that could be told from chance</source>
        <translation>未保留：没有超出偶然的提升</translation>
    </message>
    <message>
        <source>Not applied: it was trained for another embedding model</source>
        <translation>未应用：它是为另一个嵌入模型训练的</translation>
    </message>
    <message>
        <source>Recall@5 of %1 held-out questions: %2 → %3 (95 % interval of the gain: %4 to %5); by the vector alone: %6 → %7.</source>
        <translation>%1 个留出问题的 Recall@5：%2 → %3（提升的 95 % 区间：%4 至 %5）；仅用向量：%6 → %7。</translation>
    </message>
    <message>
        <source>Trained on %1 questions, when there were %2 documents; now there are %3.</source>
        <translation>用 %1 个问题训练，当时有 %2 个文档；现在有 %3 个。</translation>
    </message>
</context>
<context>
    <name>AddFolderDialog</name>
    <message>
        <source>Add a large folder</source>
        <translation>添加大文件夹</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Counting… %1 so far</source>
        <translation>正在统计…目前 %1</translation>
    </message>
    <message>
        <source>%1 and %2 more formats</source>
        <translation>%1，以及另外 %2 种格式</translation>
    </message>
    <message>
        <source>%1 of a format that cannot be read</source>
        <translation>%1的格式不支持读取</translation>
    </message>
    <message>
        <source>1 folder may not be read</source>
        <translation>1 个文件夹无权读取</translation>
    </message>
    <message>
        <source>%1 folders may not be read</source>
        <translation>%1 个文件夹无权读取</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Folders to add</source>
        <translation>要添加的文件夹</translation>
    </message>
    <message>
        <source>for example: drafts, *.bak, old/*</source>
        <translation>例如：drafts, *.bak, old/*</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Leave out names or paths:</source>
        <translation>排除的名称或路径：</translation>
    </message>
</context>
<context>
    <name>AddOffer</name>
    <message>
        <source>%1 files are not in your library.</source>
        <translation>%1 个文件不在您的资料库中。</translation>
    </message>
    <message>
        <source>“%1” is not in your library.</source>
        <translation>“%1”不在您的资料库中。</translation>
    </message>
    <message>
        <source>Add it to “%1”? It stays where it is.</source>
        <translation>要将它添加到“%1”吗？它会留在原处。</translation>
    </message>
    <message>
        <source>Add them to “%1”? They stay where they are.</source>
        <translation>要将它们添加到“%1”吗？它们会留在原处。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
</context>
<context>
    <name>AdvancedSection</name>
    <message>
        <source>Advanced</source>
        <translation>高级</translation>
    </message>
    <message numerus="yes">
        <source>Advanced: %n changed</source>
        <translation>
            <numerusform>高级：%n 项已更改</numerusform>
        </translation>
    </message>
    <message>
        <source>Hide what hardly anybody needs</source>
        <translation>收起很少用到的设置</translation>
    </message>
    <message>
        <source>Show what hardly anybody needs</source>
        <translation>显示很少用到的设置</translation>
    </message>
</context>
<context>
    <name>AnswerExportDialog</name>
    <message>
        <source>Word document (*.docx)</source>
        <translation>Word 文档 (*.docx)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
</context>
<context>
    <name>AnswerMenu</name>
    <message>
        <source>Options of this way…</source>
        <translation>此方式的选项…</translation>
    </message>
</context>
<context>
    <name>AskAbout</name>
    <message>
        <source>Ask about these</source>
        <translation>就这些内容提问</translation>
    </message>
    <message>
        <source>Ask about this folder</source>
        <translation>就此文件夹提问</translation>
    </message>
    <message>
        <source>Ask about this file</source>
        <translation>就此文件提问</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
</context>
<context>
    <name>Beside</name>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>CatalogDamagedDialog</name>
    <message>
        <source>The catalog is damaged</source>
        <translation>目录数据库已损坏</translation>
    </message>
    <message>
        <source>It can be recovered while it is not in use. “Restart” closes Desktop RAG and opens it again; it then offers the recovery, as it does whenever you open it next. Your own files are not touched.</source>
        <translation>目录数据库不在使用时才能恢复。“重新启动”会关闭并再次打开 Desktop RAG，随后即可恢复；您以后自行打开时也一样。您自己的文件不会被改动。</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>重新启动</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
</context>
<context>
    <name>CellsView</name>
    <message>
        <source>Table of the document</source>
        <translation>文档中的表格</translation>
    </message>
    <message>
        <source>Copy the cells</source>
        <translation>复制单元格</translation>
    </message>
</context>
<context>
    <name>ChatPane</name>
    <message>
        <source>New conversation (Ctrl+N)</source>
        <translation>新对话（Ctrl+N）</translation>
    </message>
    <message>
        <source>Export this conversation…</source>
        <translation>导出此对话…</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Without a language model, answers are quotes from your documents.</source>
        <translation>没有语言模型时，回答由文档引文组成。</translation>
    </message>
    <message>
        <source>Get Ollama a model, for example: ollama pull qwen3:4b</source>
        <translation>请为 Ollama 下载一个模型，例如：ollama pull qwen3:4b</translation>
    </message>
    <message>
        <source>What this question is asked of is not in the library any more. Take it away with its cross to ask everything, or choose something else.</source>
        <translation>这个问题所问的内容已不在资料库中。点击叉号将其移除即可向全部内容提问，也可另选其他内容。</translation>
    </message>
    <message>
        <source>An answer is being written. Stop it, or wait for its end.</source>
        <translation>正在写回答。请先停止，或等它写完。</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>已导出到 %1。</translation>
    </message>
</context>
<context>
    <name>Chunks</name>
    <message>
        <source>title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>heading</source>
        <translation>小标题</translation>
    </message>
    <message>
        <source>text</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>head and foot</source>
        <translation>页眉页脚</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n 个 token</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ChunksList</name>
    <message>
        <source>Passages of the document in the index</source>
        <translation>索引中该文档的段落</translation>
    </message>
    <message>
        <source>Why was this not found?</source>
        <translation>为什么没找到它？</translation>
    </message>
    <message numerus="yes">
        <source>%n passage(s)</source>
        <translation>
            <numerusform>%n 个段落</numerusform>
        </translation>
    </message>
    <message>
        <source>The index holds no passage of this file.</source>
        <translation>索引中没有此文件的段落。</translation>
    </message>
</context>
<context>
    <name>ChunksModel</name>
    <message>
        <source>Searched together with:
%1</source>
        <translation>连同以下内容一起检索：
%1</translation>
    </message>
</context>
<context>
    <name>CommandCard</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Go to…</source>
        <translation>转到…</translation>
    </message>
    <message>
        <source>A document, a conversation, or what to do</source>
        <translation>文档、对话或操作</translation>
    </message>
    <message>
        <source>What fits</source>
        <translation>匹配项</translation>
    </message>
    <message>
        <source>Nothing is called so.</source>
        <translation>没有符合的名称。</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>CommandRow</name>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>It is on the clipboard: paste it into a terminal.</source>
        <translation>已复制到剪贴板：请粘贴到终端中。</translation>
    </message>
</context>
<context>
    <name>CompareDialog</name>
    <message>
        <source>Compare with</source>
        <translation>与之比较</translation>
    </message>
    <message>
        <source>Part of a name</source>
        <translation>名称的一部分</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Compare “%1” with:</source>
        <translation>将“%1”与以下文档比较：</translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>From now on questions are answered in this way.</source>
        <translation>今后的问题都以这种方式回答。</translation>
    </message>
    <message>
        <source>The conversation is still being answered. Wait, or stop that first.</source>
        <translation>对话中的问题仍在回答。请等待，或先停止。</translation>
    </message>
    <message>
        <source>The comparison is on the clipboard.</source>
        <translation>比较结果已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Ask one question in two or three ways, and see side by side what each answers, from which sources, and at what cost. They answer one after the other, so that none slows another down. Nothing of it is kept.</source>
        <translation>用两三种方式问同一个问题，并排查看各自的回答、来源和开销。各种方式依次回答，互不拖慢。比较的内容不会保存。</translation>
    </message>
    <message>
        <source>There is no language model now: what is compared are quotes.</source>
        <translation>目前没有语言模型：比较的是原文摘录。</translation>
    </message>
    <message>
        <source>Answered below: “%1”</source>
        <translation>以下回答的是：“%1”</translation>
    </message>
    <message>
        <source>Waits for its turn</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Not asked yet</source>
        <translation>尚未提问</translation>
    </message>
    <message>
        <source>Is answering…</source>
        <translation>正在回答…</translation>
    </message>
    <message>
        <source>[%1] cited</source>
        <translation>[%1] 已引用</translation>
    </message>
    <message>
        <source>[%1] read</source>
        <translation>[%1] 已读取</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Sources in all answers: %1</source>
        <translation>所有回答共有的来源：%1</translation>
    </message>
    <message>
        <source>only in “%1”: %2</source>
        <translation>仅“%1”有：%2</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>How it came about</source>
        <translation>如何得出</translation>
    </message>
    <message>
        <source>Strategy and model</source>
        <translation>策略与模型</translation>
    </message>
    <message>
        <source>Model calls</source>
        <translation>模型调用</translation>
    </message>
    <message>
        <source>Searches</source>
        <translation>检索</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒</translation>
    </message>
</context>
<context>
    <name>CompareQuestion</name>
    <message>
        <source>Ask one question in several ways</source>
        <translation>用几种方式问同一个问题</translation>
    </message>
    <message>
        <source>Question to compare</source>
        <translation>要比较的问题</translation>
    </message>
    <message>
        <source>Copy as table</source>
        <translation>复制为表格</translation>
    </message>
    <message>
        <source>Add a way</source>
        <translation>添加方式</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止（Esc）</translation>
    </message>
    <message>
        <source>Compare (Enter)</source>
        <translation>比较（Enter）</translation>
    </message>
</context>
<context>
    <name>ComparisonColumnView</name>
    <message>
        <source>Take this way out</source>
        <translation>移除这种方式</translation>
    </message>
    <message>
        <source>Use from now on</source>
        <translation>今后使用</translation>
    </message>
    <message>
        <source>Ask in the conversation</source>
        <translation>在对话中提问</translation>
    </message>
    <message>
        <source>Prepare…</source>
        <translation>预处理…</translation>
    </message>
    <message>
        <source>Answer: %1</source>
        <translation>回答：%1</translation>
    </message>
    <message>
        <source>Stop this answer, and go on with the next</source>
        <translation>停止这个回答，继续下一个</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>正在使用</translation>
    </message>
    <message>
        <source>The settings keep a way and a model, no changes to the question.</source>
        <translation>设置只保存方式和模型，不保存对问题的改动。</translation>
    </message>
    <message>
        <source>Answer every question in this way, unless another is chosen for it</source>
        <translation>除非另行选择，所有问题都以这种方式回答</translation>
    </message>
    <message>
        <source>What the knowledge base can be prepared for</source>
        <translation>知识库可以为哪些方式做预处理</translation>
    </message>
    <message>
        <source>Ask the question there in this way, to go on with it</source>
        <translation>以这种方式在对话中提问，以便继续追问</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Ask a question of your documents; @ names one</source>
        <translation>向您的文档提问；输入 @ 可指定其中一个</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Still indexing: results may be incomplete.</source>
        <translation>仍在建立索引，结果可能不完整。</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止（Esc）</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>发送（Enter）</translation>
    </message>
</context>
<context>
    <name>ComposerControls</name>
    <message>
        <source>Language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>The model that answers</source>
        <translation>用于回答的模型</translation>
    </message>
    <message>
        <source>Options of this way</source>
        <translation>此方式的选项</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>发送（Enter）</translation>
    </message>
    <message>
        <source>How the question is researched</source>
        <translation>如何检索以回答问题</translation>
    </message>
</context>
<context>
    <name>ConnectionLogModel</name>
    <message>
        <source>Last time</source>
        <translation>最近时间</translation>
    </message>
    <message>
        <source>To</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>For</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>%1 (this computer)</source>
        <translation>%1（本机）</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>已允许</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Language model: an answer</source>
        <translation>语言模型：生成回答</translation>
    </message>
    <message>
        <source>Language model: which models there are</source>
        <translation>语言模型：查询模型列表</translation>
    </message>
    <message>
        <source>Ollama: fetching a model</source>
        <translation>Ollama：下载模型</translation>
    </message>
    <message>
        <source>Hugging Face: fetching a model</source>
        <translation>Hugging Face：下载模型</translation>
    </message>
    <message>
        <source>Ollama: embedding</source>
        <translation>Ollama：文本向量化</translation>
    </message>
    <message>
        <source>Shared knowledge base</source>
        <translation>共享的知识库</translation>
    </message>
    <message>
        <source>unknown: a library&apos;s own</source>
        <translation>未知：由某个程序库发起</translation>
    </message>
    <message>
        <source>looking up a name</source>
        <translation>查询域名</translation>
    </message>
</context>
<context>
    <name>ConnectionLogTable</name>
    <message>
        <source>No connection has been made yet.</source>
        <translation>还没有建立过任何连接。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Every connection that this program makes: when, to where, what for, and whether it was let through. It is kept in the data folder and holds no text of your documents or questions.</source>
        <translation>本程序建立的每个连接：时间、去向、用途，以及是否放行。记录保存在数据文件夹中，不含文档或问题的任何文本。</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>连接记录</translation>
    </message>
</context>
<context>
    <name>ConsentDialog</name>
    <message>
        <source>Send passages to another computer?</source>
        <translation>要把段落发送到另一台电脑吗？</translation>
    </message>
    <message>
        <source>Send passages of “%1” to %2?</source>
        <translation>要把“%1”的段落发送到 %2 吗？</translation>
    </message>
    <message>
        <source>A language model there would write the answer. Sent are your question, the conversation before it, and the passages that were found for it, with their files&apos; names. Nothing else of your documents is sent there. You can take this back in the settings, on the page “Privacy”. If it is not sent, the answer is made of quotes.</source>
        <translation>答案将由那里的语言模型撰写。发送的内容包括：您的问题、此前的对话，以及为它找到的段落及其文件名。文档的其他内容不会发送到那里。您可以在设置的“隐私”页收回许可。若不发送，答案由引文组成。</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
</context>
<context>
    <name>ConsentList</name>
    <message>
        <source>Consent by knowledge base</source>
        <translation>各知识库的许可</translation>
    </message>
    <message>
        <source>What a Chroma server has of a shared knowledge base stays there until it is taken off: “desktop-rag kb unshare NAME --withdraw”.</source>
        <translation>Chroma 服务器上已有的共享知识库内容会保留在那里，直到用“desktop-rag kb unshare NAME --withdraw”撤下。</translation>
    </message>
    <message>
        <source>%1 and the vectors are on this computer: no consent is needed.</source>
        <translation>%1 和向量都在这台电脑上：不需要许可。</translation>
    </message>
    <message>
        <source>Ollama and the vectors are on this computer: no consent is needed. You are asked before a model answers that Ollama runs in the cloud.</source>
        <translation>Ollama 和向量都在这台电脑上：不需要许可。若要由 Ollama 在云端运行的模型回答，会先征求您的同意。</translation>
    </message>
</context>
<context>
    <name>ConsentRow</name>
    <message>
        <source>“%1” to %2</source>
        <translation>“%1”发送到 %2</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>撤回</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>未允许</translation>
    </message>
    <message>
        <source>allowed since %1</source>
        <translation>自 %1 起允许</translation>
    </message>
</context>
<context>
    <name>ConversationDelegate</name>
    <message>
        <source>Title of the conversation</source>
        <translation>对话标题</translation>
    </message>
</context>
<context>
    <name>ConversationHitList</name>
    <message>
        <source>What was found</source>
        <translation>查找结果</translation>
    </message>
</context>
<context>
    <name>ConversationHitModel</name>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>Conversations</name>
    <message>
        <source>Pinned</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>a day, without year</comment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>MMMM yyyy</source>
        <comment>a month and its year</comment>
        <translation>yyyy年M月</translation>
    </message>
</context>
<context>
    <name>ConversationsPane</name>
    <message>
        <source>Your conversations are kept here, in the data folder.</source>
        <translation>您的对话保存在这里的数据文件夹中。</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>对话</translation>
    </message>
    <message numerus="yes">
        <source>%n conversations deleted.</source>
        <translation>
            <numerusform>已删除 %n 个对话。</numerusform>
        </translation>
    </message>
    <message>
        <source>Conversation deleted.</source>
        <translation>对话已删除。</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>未找到。</translation>
    </message>
    <message numerus="yes">
        <source>The first %n places</source>
        <translation>
            <numerusform>前 %n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 处</translation>
    </message>
    <message numerus="yes">
        <source>%n places</source>
        <translation>
            <numerusform>%n 处</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Search all conversations</source>
        <translation>搜索所有对话</translation>
    </message>
    <message>
        <source>Search all conversations (Ctrl+Shift+F)</source>
        <translation>搜索所有对话（Ctrl+Shift+F）</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Clear the search (Esc)</source>
        <translation>清除搜索（Esc）</translation>
    </message>
</context>
<context>
    <name>DerivedTextsPage</name>
    <message>
        <source>Back to the files (Esc)</source>
        <translation>返回文件（Esc）</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Show a level less (-)</source>
        <translation>少显示一层（-）</translation>
    </message>
    <message>
        <source>Show a level more (+)</source>
        <translation>多显示一层（+）</translation>
    </message>
    <message>
        <source>Open the passage</source>
        <translation>打开段落</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Nothing was derived from the documents: they are too short.</source>
        <translation>没有从文档生成任何文本：文档太短。</translation>
    </message>
    <message numerus="yes">
        <source>%n derived text(s)</source>
        <translation>
            <numerusform>%n 条派生文本</numerusform>
        </translation>
    </message>
    <message>
        <source>made before the last change of how it is prepared</source>
        <translation>生成于上次更改准备方式之前</translation>
    </message>
    <message>
        <source>made with the language model %1</source>
        <translation>借助语言模型 %1 生成</translation>
    </message>
    <message>
        <source>made without a language model, of the passages&apos; own words</source>
        <translation>不用语言模型生成，取自段落原文</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Derived texts, and the passages under them</source>
        <translation>派生文本及其下的段落</translation>
    </message>
    <message>
        <source>The whole text of the row</source>
        <translation>该行的全文</translation>
    </message>
</context>
<context>
    <name>DerivedTreeModel</name>
    <message>
        <source>Passage, %1</source>
        <translation>段落，%1</translation>
    </message>
    <message numerus="yes">
        <source>made of %n passage(s)</source>
        <translation>
            <numerusform>由 %n 个段落生成</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>made of %n text(s)</source>
        <translation>
            <numerusform>由 %n 条文本生成</numerusform>
        </translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
</context>
<context>
    <name>DerivedTreeView</name>
    <message>
        <source>Tree of summaries</source>
        <translation>摘要树</translation>
    </message>
    <message>
        <source>Passage</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
</context>
<context>
    <name>DocumentFindBar</name>
    <message>
        <source>Find in this document</source>
        <translation>在此文档中查找</translation>
    </message>
    <message>
        <source>Previous place (Shift+Enter)</source>
        <translation>上一处（Shift+Enter）</translation>
    </message>
    <message>
        <source>Next place (Enter)</source>
        <translation>下一处（Enter）</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>No place found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在查找…</translation>
    </message>
</context>
<context>
    <name>DocumentMetadata</name>
    <message>
        <source>By %1</source>
        <translation>作者：%1</translation>
    </message>
    <message>
        <source>To %1</source>
        <translation>收件人：%1</translation>
    </message>
    <message>
        <source>Subject: %1</source>
        <translation>主题：%1</translation>
    </message>
    <message>
        <source>Keywords: %1</source>
        <translation>关键词：%1</translation>
    </message>
    <message>
        <source>Written on %1</source>
        <translation>写于 %1</translation>
    </message>
    <message>
        <source>Last changed on %1</source>
        <translation>最后修改于 %1</translation>
    </message>
    <message>
        <source>Language: %1</source>
        <translation>语言：%1</translation>
    </message>
</context>
<context>
    <name>DocumentTableView</name>
    <message>
        <source>Tables of the document</source>
        <translation>文档中的各个表格</translation>
    </message>
    <message>
        <source>Rows: %1</source>
        <translation>行数：%1</translation>
    </message>
</context>
<context>
    <name>DownloadCard</name>
    <message>
        <source>Fetch a model</source>
        <translation>下载模型</translation>
    </message>
    <message>
        <source>Name of the model to fetch</source>
        <translation>要下载的模型名称</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The server that answers fetches no models from here: load them in it.</source>
        <translation>当前的服务器不能从这里下载模型：请在该程序中加载模型。</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%2/%3</translation>
    </message>
    <message>
        <source>%1: asking for it…</source>
        <translation>%1：正在请求…</translation>
    </message>
    <message>
        <source>%1 is there.</source>
        <translation>%1 已下载完成。</translation>
    </message>
    <message>
        <source>Stopped. What has come of %1 is kept: fetch it again to go on.</source>
        <translation>已停止。%1 已下载的部分会保留：再次下载即可继续。</translation>
    </message>
    <message>
        <source>Ollama fetches it from its library on the internet; this program itself does not. To get a model where there is no internet, copy Ollama&apos;s models folder.</source>
        <translation>由 Ollama 从其互联网模型库下载，本程序自身不联网。没有网络时，可以复制 Ollama 的模型文件夹。</translation>
    </message>
</context>
<context>
    <name>DropHint</name>
    <message>
        <source>Drop to add to “%1”</source>
        <translation>松开即可添加到“%1”</translation>
    </message>
</context>
<context>
    <name>EditingRow</name>
    <message>
        <source>Editing an earlier question. The one before is kept.</source>
        <translation>正在修改先前的问题，原来的问题会保留。</translation>
    </message>
    <message>
        <source>Cancel editing (Esc)</source>
        <translation>取消修改（Esc）</translation>
    </message>
</context>
<context>
    <name>EmptyLibrary</name>
    <message>
        <source>Drop files or folders here</source>
        <translation>将文件或文件夹拖到这里</translation>
    </message>
    <message>
        <source>PDF, Word, PowerPoint, Excel, Markdown, HTML, text and mail. They are read on this computer, and nothing of them leaves it unless you allow that. Changes in folders are picked up automatically.</source>
        <translation>PDF、Word、PowerPoint、Excel、Markdown、HTML、文本和邮件。文档只在这台电脑上读取，未经您允许，内容不会离开这台电脑。文件夹中的变化会自动更新。</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>添加文件…</translation>
    </message>
    <message>
        <source>Try the sample documents</source>
        <translation>试用示例文档</translation>
    </message>
</context>
<context>
    <name>EmptyNotes</name>
    <message>
        <source>Keep what you find</source>
        <translation>留住您找到的内容</translation>
    </message>
    <message>
        <source>Notes hold answers, quotes and passages, with their sources: a click on a number opens the document at its place. They stay when a conversation is deleted.

“Save as note” is under every answer, and in the menu of a source (right click), of text selected in an answer, and of text selected in a document.</source>
        <translation>笔记保存回答、引文和段落，并附上来源：点击编号即可在文档的原位置打开。删除对话后，笔记仍会保留。

每条回答下方都有“存为笔记”；来源的菜单（右键单击）、在回答或文档中选中文字后的菜单里也有。</translation>
    </message>
    <message>
        <source>Write a note</source>
        <translation>写笔记</translation>
    </message>
</context>
<context>
    <name>EmptySources</name>
    <message>
        <source>The quotes that an answer rests on appear here.

Click one to see it marked in its document.</source>
        <translation>回答所依据的引文会显示在这里。

点击引文即可在文档中查看标记处。</translation>
    </message>
</context>
<context>
    <name>EntityGraphPanel</name>
    <message>
        <source>Back to the entity before (Backspace)</source>
        <translation>返回上一个实体（Backspace）</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>No entity was found in the documents.</source>
        <translation>文档中没有找到实体。</translation>
    </message>
    <message>
        <source>No entity is called “%1”.</source>
        <translation>没有名为“%1”的实体。</translation>
    </message>
    <message numerus="yes">
        <source>Named in %n passage(s)</source>
        <translation>
            <numerusform>在 %n 个段落中提到</numerusform>
        </translation>
    </message>
    <message>
        <source>No other entity stands with it.</source>
        <translation>没有其他实体与它相连。</translation>
    </message>
    <message numerus="yes">
        <source>The %n strongest neighbour(s) are drawn.</source>
        <translation>
            <numerusform>图中画出联系最紧密的 %n 个实体。</numerusform>
        </translation>
    </message>
    <message>
        <source>The first %1 are listed.</source>
        <translation>列出前 %1 个。</translation>
    </message>
    <message>
        <source>Name of an entity</source>
        <translation>实体名称</translation>
    </message>
</context>
<context>
    <name>EntityGraphView</name>
    <message>
        <source>Graph of entities</source>
        <translation>实体图</translation>
    </message>
    <message>
        <source>Nearly the same name (cosine %1)</source>
        <translation>名称几乎相同（余弦 %1）</translation>
    </message>
    <message numerus="yes">
        <source>Together in %n passage(s)</source>
        <translation>
            <numerusform>共同出现在 %n 个段落中</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ErrorDialog</name>
    <message>
        <source>Something went wrong</source>
        <translation>出了问题</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Version, system and places in the code; no text, names or paths of yours</source>
        <translation>包含版本、系统和代码位置；不含您的文本、名称或路径</translation>
    </message>
    <message>
        <source>Open log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message numerus="yes">
        <source>This came up %n time(s).</source>
        <translation>
            <numerusform>已出现 %n 次。</numerusform>
        </translation>
    </message>
    <message>
        <source>Something went wrong in the program itself.</source>
        <translation>程序自身出了问题。</translation>
    </message>
    <message>
        <source>You can go on working; what is finished is safe. “Copy report” copies details that help to repair this, for you to pass on.</source>
        <translation>您可以继续使用，已完成的内容不会丢失。“复制报告”会复制有助于修复的详情，供您转交。</translation>
    </message>
    <message>
        <source>The report is on the clipboard.</source>
        <translation>报告已复制到剪贴板。</translation>
    </message>
</context>
<context>
    <name>EvaluationPage</name>
    <message>
        <source>Getting ready…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>Write a question…</source>
        <translation>写一个问题…</translation>
    </message>
    <message>
        <source>Propose questions…</source>
        <translation>提议问题…</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>评测</translation>
    </message>
    <message>
        <source>The figures are there.</source>
        <translation>结果已出。</translation>
    </message>
    <message>
        <source>Prepare…</source>
        <translation>预处理…</translation>
    </message>
    <message>
        <source>Stopped. What was answered is kept: Measure goes on from there.</source>
        <translation>已停止。已经得到的回答都保存了：再按“测量”会接着做。</translation>
    </message>
    <message>
        <source>Ask something in a conversation and choose “Save as test question” under the answer; write a question here, or have some proposed. With a dozen of them you see whether a change of settings helps on your documents.</source>
        <translation>在对话中提问，然后在回答下方选择“保存为测试问题”；也可以在这里写一个问题，或让程序提议一些。有十来个问题，就能看出改动设置对您的文档有没有帮助。</translation>
    </message>
    <message>
        <source>To see how good the answers of your language model are, choose the built-in questions above.</source>
        <translation>想知道您的语言模型有多好，请在上面选择内置的问题。</translation>
    </message>
    <message>
        <source>100 questions over invented documents that come with the program, half English, half Chinese. Choose ways and press Measure: how right are the answers of your language model? Each answer is kept at once: stop when you like, and go on later.</source>
        <translation>程序自带 100 个问题，问的是虚构的文档，中文和英文各一半。选择方式，然后按“测量”：您的语言模型回答得有多正确？每个回答都会立即保存：可以随时停止，以后再继续。</translation>
    </message>
    <message>
        <source>Four kinds of tasks are made of your documents by rules (CRUD-RAG): going on with a text, answering a question, correcting a text with wrong figures, summing up several documents. Choose ways and press Measure: how near is each to what the documents say? Figures are kept, no answers; stop when you like, and go on later.</source>
        <translation>按规则由您的文档生成四类任务（CRUD-RAG）：续写文本、回答问题、改正数据有误的文本、概括多篇文档。请选择方式并点击“测量”：每种方式与文档原文有多接近？只保留数值，不保留回答；可随时停止，以后接着进行。</translation>
    </message>
    <message>
        <source>Choose ways and press Measure: how much does each find as the corpus grows, with the second stage and without it? Every size is indexed once.</source>
        <translation>选择方式并按“测量”：随着语料增大，各方式在有和没有第二阶段时能找到多少？每种规模只建立一次索引。</translation>
    </message>
    <message>
        <source>Choose ways and press Measure: how much of the passages does each find?</source>
        <translation>选择方式并按“测量”：各方式能找到多少段落？</translation>
    </message>
    <message>
        <source>Choose ways and press Measure: how right are the answers of each?</source>
        <translation>选择方式并按“测量”：各方式的回答有多正确？</translation>
    </message>
    <message>
        <source>What is measured</source>
        <translation>测量什么</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2 时为 %1</translation>
    </message>
    <message>
        <source>%1 by the number of passages, in percent</source>
        <translation>%1 随段落数的变化，单位为百分比</translation>
    </message>
    <message>
        <source>%1: %2, between %3 and %4</source>
        <translation>%1：%2，介于 %3 与 %4 之间</translation>
    </message>
    <message>
        <source>before: %1</source>
        <translation>上次：%1</translation>
    </message>
    <message>
        <source>%1, in percent</source>
        <translation>%1（百分比）</translation>
    </message>
    <message>
        <source>%1, with its 95% interval; a ring is the run before.</source>
        <translation>%1 及其 95% 区间；圆环为上一次。</translation>
    </message>
    <message>
        <source>With fewer than %1 questions the interval says little.</source>
        <translation>问题少于 %1 个时，区间说明不了什么。</translation>
    </message>
    <message>
        <source>%1 by the number of passages</source>
        <translation>%1 随段落数的变化</translation>
    </message>
    <message>
        <source>%1: measured for the first time on this set.</source>
        <translation>%1：首次在这组问题上测量。</translation>
    </message>
    <message>
        <source>F1 or a right refusal</source>
        <translation>F1 或正确拒答</translation>
    </message>
    <message>
        <source>right replies</source>
        <translation>正确的回复</translation>
    </message>
    <message>
        <source>Found now</source>
        <translation>新找到</translation>
    </message>
    <message>
        <source>Right now</source>
        <translation>新答对</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>Not all found</source>
        <translation>未全部找到</translation>
    </message>
    <message>
        <source>Not right</source>
        <translation>不正确</translation>
    </message>
    <message>
        <source>The passages of every question were found.</source>
        <translation>每个问题的段落都找到了。</translation>
    </message>
    <message>
        <source>Every answer is right.</source>
        <translation>每个回答都正确。</translation>
    </message>
    <message>
        <source>A question that is no longer in the set</source>
        <translation>已不在问题集中的问题</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>…还有 %1 个</translation>
    </message>
    <message>
        <source>The language model&apos;s own judgement, not a measurement. In percent.</source>
        <translation>语言模型自己的评判，不是测量结果。单位为百分比。</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>R@2</source>
        <translation>R@2</translation>
    </message>
    <message>
        <source>R@5</source>
        <translation>R@5</translation>
    </message>
    <message>
        <source>R@10</source>
        <translation>R@10</translation>
    </message>
    <message>
        <source>All@5</source>
        <translation>All@5</translation>
    </message>
    <message>
        <source>MRR</source>
        <translation>MRR</translation>
    </message>
    <message>
        <source>nDCG</source>
        <translation>nDCG</translation>
    </message>
    <message>
        <source>Calls</source>
        <translation>调用</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>95% between</source>
        <translation>95% 区间</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>完全一致</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>Citations right</source>
        <translation>引用正确</translation>
    </message>
    <message>
        <source>Gold cited</source>
        <translation>应引已引</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>拒答</translation>
    </message>
    <message>
        <source>Rightly refused</source>
        <translation>正确拒答</translation>
    </message>
    <message>
        <source>Holds it</source>
        <translation>含有答案</translation>
    </message>
    <message>
        <source>Wrongly refused</source>
        <translation>错误拒答</translation>
    </message>
    <message>
        <source>F1, one document</source>
        <translation>F1，单个文档</translation>
    </message>
    <message>
        <source>F1, several</source>
        <translation>F1，多个文档</translation>
    </message>
    <message>
        <source>F1, English</source>
        <translation>F1，英文</translation>
    </message>
    <message>
        <source>F1, Chinese</source>
        <translation>F1，中文</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>BLEU</source>
        <translation>BLEU</translation>
    </message>
    <message>
        <source>ROUGE-L</source>
        <translation>ROUGE-L</translation>
    </message>
    <message>
        <source>Corrected</source>
        <translation>改正</translation>
    </message>
    <message>
        <source>Judged right</source>
        <translation>模型评：正确</translation>
    </message>
    <message>
        <source>Judged faithful</source>
        <translation>模型评：忠实</translation>
    </message>
    <message>
        <source>Judged relevant</source>
        <translation>模型评：切题</translation>
    </message>
    <message>
        <source>Judged precision</source>
        <translation>模型评：段落精度</translation>
    </message>
    <message>
        <source>Judged recall</source>
        <translation>模型评：段落召回</translation>
    </message>
    <message>
        <source>Judged facts</source>
        <translation>模型评：事实</translation>
    </message>
    <message>
        <source>Answers judged</source>
        <translation>已评回答</translation>
    </message>
    <message>
        <source>Not judged</source>
        <translation>未能评判</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>问题数</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>正确率</translation>
    </message>
    <message>
        <source>How many passages the knowledge base had.</source>
        <translation>知识库中的段落数。</translation>
    </message>
    <message>
        <source>How much of the saved passages is among the first 2. In percent.</source>
        <translation>保存的段落中有多少排在前 2 名。单位为百分比。</translation>
    </message>
    <message>
        <source>How much of the saved passages is among the first 5. In percent.</source>
        <translation>保存的段落中有多少排在前 5 名。单位为百分比。</translation>
    </message>
    <message>
        <source>How much of the saved passages is among the first 10. In percent.</source>
        <translation>保存的段落中有多少排在前 10 名。单位为百分比。</translation>
    </message>
    <message>
        <source>Questions with all their passages among the first 5. In percent.</source>
        <translation>全部段落都排在前 5 名的问题。单位为百分比。</translation>
    </message>
    <message>
        <source>1 for a passage in the first place, 1/2 in the second … In percent.</source>
        <translation>段落排第一记 1，排第二记 1/2…单位为百分比。</translation>
    </message>
    <message>
        <source>How near the passages are to the top of the first 10. In percent.</source>
        <translation>段落在前 10 名中有多靠前。单位为百分比。</translation>
    </message>
    <message>
        <source>Calls of the language model for one question.</source>
        <translation>每个问题调用语言模型的次数。</translation>
    </message>
    <message>
        <source>Milliseconds that half of the questions took at most.</source>
        <translation>半数问题所用的时间不超过这么多毫秒。</translation>
    </message>
    <message>
        <source>The plotted figure would lie here for 95 of 100 sets of such questions (bootstrap).</source>
        <translation>若有 100 组这样的问题，其中 95 组的图中数值会落在这里（自助法）。</translation>
    </message>
    <message>
        <source>Answers that are word for word a right one. In percent.</source>
        <translation>与正确答案逐字相同的回答。单位为百分比。</translation>
    </message>
    <message>
        <source>Words that the answer and the best right one share. In percent.</source>
        <translation>回答与最接近的正确答案共有的词语。单位为百分比。</translation>
    </message>
    <message>
        <source>Citations that are saved passages. In percent.</source>
        <translation>属于保存的段落的引用。单位为百分比。</translation>
    </message>
    <message>
        <source>Saved passages that are cited. In percent.</source>
        <translation>被引用的保存段落。单位为百分比。</translation>
    </message>
    <message>
        <source>Questions to which the answer was that nothing was found. In percent.</source>
        <translation>回答为“未找到”的问题。单位为百分比。</translation>
    </message>
    <message>
        <source>Of the questions that the documents do not answer, those that were refused. In percent.</source>
        <translation>文档中没有答案的问题里，被拒答的比例。单位为百分比。</translation>
    </message>
    <message>
        <source>Answers in which a right one stands word for word. In percent.</source>
        <translation>其中逐字含有正确答案的回答。以百分比表示。</translation>
    </message>
    <message>
        <source>Of the questions that have an answer, those that were refused. In percent.</source>
        <translation>在有答案的问题中，被拒答的问题。以百分比表示。</translation>
    </message>
    <message>
        <source>F1 of the questions that one document answers.</source>
        <translation>由一个文档回答的问题的 F1。</translation>
    </message>
    <message>
        <source>F1 of the questions that need two or three documents.</source>
        <translation>需要两三个文档的问题的 F1。</translation>
    </message>
    <message>
        <source>F1 of the English questions.</source>
        <translation>英文问题的 F1。</translation>
    </message>
    <message>
        <source>F1 of the Chinese questions.</source>
        <translation>中文问题的 F1。</translation>
    </message>
    <message>
        <source>Seconds that half of the questions took at most.</source>
        <translation>一半的问题最多用了这么多秒。</translation>
    </message>
    <message>
        <source>Runs of one to four words that the answer shares with the documents&apos; wording. In percent.</source>
        <translation>回答与文档原文共有的一至四个词的连续片段。以百分比表示。</translation>
    </message>
    <message>
        <source>The longest sequence of words that the answer shares with the documents&apos; wording. In percent.</source>
        <translation>回答与文档原文共有的最长词序列。以百分比表示。</translation>
    </message>
    <message>
        <source>Of the figures and names that were made wrong, those that are right in the answer. In percent.</source>
        <translation>被改错的数值和名称中，回答里已改正的部分。以百分比表示。</translation>
    </message>
    <message>
        <source>Answers that the language model was asked to judge.</source>
        <translation>请语言模型评判的回答。</translation>
    </message>
    <message>
        <source>Judgements that the model twice did not give in the form that was asked for.</source>
        <translation>模型两次都没有按要求的格式给出的评判。</translation>
    </message>
    <message>
        <source>How many questions the model was asked so, each once.</source>
        <translation>以这种方式问了模型多少个问题，每个一次。</translation>
    </message>
    <message>
        <source>Replies that are right. In percent.</source>
        <translation>正确的回复。单位为百分比。</translation>
    </message>
    <message>
        <source>Words alone (BM25)</source>
        <translation>仅按词语（BM25）</translation>
    </message>
    <message>
        <source>Meaning alone</source>
        <translation>仅按含义</translation>
    </message>
    <message>
        <source>Quotes, without a model</source>
        <translation>引文，不用模型</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, first stage alone</source>
        <translation>%1，仅第一阶段</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>问答</translation>
    </message>
    <message>
        <source>Correct</source>
        <translation>纠错</translation>
    </message>
    <message>
        <source>Sum up</source>
        <translation>概括</translation>
    </message>
    <message>
        <source>1 question</source>
        <translation>1 个问题</translation>
    </message>
    <message>
        <source>%1 questions</source>
        <translation>%1 个问题</translation>
    </message>
    <message>
        <source>100 built-in questions</source>
        <translation>内置的 100 个问题</translation>
    </message>
    <message>
        <source>Tasks made of “%1”</source>
        <translation>由“%1”生成的任务</translation>
    </message>
    <message>
        <source>Indexing the passages: %1 of %2</source>
        <translation>正在为段落建立索引：%1 / %2</translation>
    </message>
    <message>
        <source>%1: reply %2 of %3</source>
        <translation>%1：第 %2 个回复，共 %3 个</translation>
    </message>
    <message>
        <source>%1: question %2 of %3</source>
        <translation>%1：第 %2 个问题，共 %3 个</translation>
    </message>
    <message>
        <source>%1: question %2 of %3, %4</source>
        <translation>%1：第 %2 个问题，共 %3 个，%4</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>还剩不到一分钟</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>还剩约 %1 分钟</translation>
    </message>
    <message>
        <source>about %1 h left</source>
        <translation>约剩 %1 小时</translation>
    </message>
    <message>
        <source>The model was %1.</source>
        <translation>所用模型：%1。</translation>
    </message>
    <message>
        <source>Measured without a language model.</source>
        <translation>测量时没有语言模型。</translation>
    </message>
    <message>
        <source>A single pass stood in for this way in %1 answers.</source>
        <translation>有 %1 个回答是用单次检索代替这种方式得到的。</translation>
    </message>
    <message>
        <source>%1, %2: %3 points since %4</source>
        <translation>%1，%2：自 %4 以来 %3 个百分点</translation>
    </message>
    <message>
        <source>%1, %2: unchanged since %3</source>
        <translation>%1，%2：自 %3 以来没有变化</translation>
    </message>
    <message>
        <source>now right: %1, lost: %2</source>
        <translation>新答对：%1，丢失：%2</translation>
    </message>
    <message>
        <source>over the %1 questions that both runs asked</source>
        <translation>按两次都问到的 %1 个问题计算</translation>
    </message>
    <message>
        <source>No setting that matters here has changed since.</source>
        <translation>此后没有相关设置发生变化。</translation>
    </message>
    <message>
        <source>Changed in the settings since: %1</source>
        <translation>此后改动的设置：%1</translation>
    </message>
    <message>
        <source>The answer stands in one passage, the others are about something else: is it given?</source>
        <translation>答案只在一个段落里，其他段落讲的是别的事：模型给出答案了吗？</translation>
    </message>
    <message>
        <source>No passage holds the answer: does the model say so, instead of making one up?</source>
        <translation>没有一个段落含有答案：模型会如实说没有，而不编造一个吗？</translation>
    </message>
    <message>
        <source>Two questions at once, each with its own passage: are both answers given?</source>
        <translation>同时问两个问题，各有自己的段落：两个答案都给出了吗？</translation>
    </message>
    <message>
        <source>Beside the passage stands a copy with another answer: is the right one still given?</source>
        <translation>段落旁边有一份答案被改动的副本：模型仍会给出正确的答案吗？</translation>
    </message>
    <message>
        <source>Right is a reply that holds the saved answer word for word, whatever else it says.</source>
        <translation>回复中逐字含有保存的答案即为正确，不论它还说了什么。</translation>
    </message>
    <message>
        <source>Right is a reply that says that nothing was found.</source>
        <translation>回复说明没有找到即为正确。</translation>
    </message>
    <message>
        <source>Right is a reply that holds both saved answers word for word.</source>
        <translation>回复中逐字含有两个保存的答案即为正确。</translation>
    </message>
    <message>
        <source>The model was %1; in the run before it was %2.</source>
        <translation>所用模型：%1；上一次运行用的是 %2。</translation>
    </message>
    <message>
        <source>No model judges.</source>
        <translation>不由模型评判。</translation>
    </message>
    <message>
        <source>Finds the answer among noise</source>
        <translation>在无关内容中找到答案</translation>
    </message>
    <message>
        <source>Says when there is none</source>
        <translation>没有答案时如实说明</translation>
    </message>
    <message>
        <source>Joins two answers</source>
        <translation>合并两个答案</translation>
    </message>
    <message>
        <source>Withstands a false copy</source>
        <translation>不受错误副本误导</translation>
    </message>
    <message>
        <source>How does the language model read what it is given?</source>
        <translation>语言模型如何阅读摆在它面前的内容？</translation>
    </message>
    <message>
        <source>This needs a language model, and there is none now.</source>
        <translation>这项测量需要语言模型，而目前没有。</translation>
    </message>
    <message>
        <source>Get Ollama a model, for example: ollama pull qwen3:4b</source>
        <translation>请为 Ollama 下载一个模型，例如：ollama pull qwen3:4b</translation>
    </message>
    <message>
        <source>Made of the questions of this set that have an answer and one passage; 3 are needed. Nothing is searched: up to five passages are put before the model, in up to four calls for each question. Words are compared; no model judges. After RGB (Chen et al. 2024).</source>
        <translation>用这个问题集中有答案且只有一个段落的问题组成，至少需要 3 个。不进行搜索：直接把最多五个段落交给模型，每个问题最多调用四次。只比较字词，不由模型评判。依据 RGB（Chen 等，2024）。</translation>
    </message>
</context>
<context>
    <name>EvaluationResults</name>
    <message>
        <source>Export figures…</source>
        <translation>导出数值…</translation>
    </message>
    <message>
        <source>Copy as table</source>
        <translation>复制为表格</translation>
    </message>
    <message>
        <source>The table is on the clipboard.</source>
        <translation>表格已在剪贴板上。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>测量记录</translation>
    </message>
    <message>
        <source>The figures, and what they were measured with, as text to send</source>
        <translation>数字以及测量时的条件，成为可以发送的文本</translation>
    </message>
    <message>
        <source>Questions that made the difference</source>
        <translation>带来差别的问题</translation>
    </message>
    <message>
        <source>Run of</source>
        <translation>测量于</translation>
    </message>
</context>
<context>
    <name>EvaluationSetup</name>
    <message>
        <source>Edit questions…</source>
        <translation>编辑问题…</translation>
    </message>
    <message>
        <source>More: import, export, files</source>
        <translation>更多：导入、导出、文件</translation>
    </message>
    <message>
        <source>The model judges, too</source>
        <translation>模型也评判</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Finding the passages</source>
        <translation>查找段落</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Finding, by size</source>
        <translation>查找（按规模）</translation>
    </message>
    <message>
        <source>Reading by the model</source>
        <translation>模型的阅读能力</translation>
    </message>
    <message>
        <source>Four tasks</source>
        <translation>四类任务</translation>
    </message>
    <message>
        <source>Files: %1</source>
        <translation>文件：%1</translation>
    </message>
    <message>
        <source>%1 is measured beside them</source>
        <translation>同时测量 %1</translation>
    </message>
    <message>
        <source>Choose ways</source>
        <translation>选择方式</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 等另外 %2 个</translation>
    </message>
    <message>
        <source>Question set</source>
        <translation>问题集</translation>
    </message>
    <message>
        <source>No question set yet</source>
        <translation>还没有问题集</translation>
    </message>
    <message>
        <source>What is measured</source>
        <translation>测量内容</translation>
    </message>
    <message>
        <source>Ways to compare</source>
        <translation>要比较的方式</translation>
    </message>
    <message>
        <source>Up to seven more calls of the language model for each answer</source>
        <translation>每个回答最多再调用七次语言模型</translation>
    </message>
</context>
<context>
    <name>ExplainPanel</name>
    <message>
        <source>Find out why</source>
        <translation>查明原因</translation>
    </message>
    <message>
        <source>Write the question above that should have found it.</source>
        <translation>请在上方写下本该找到它的问题。</translation>
    </message>
    <message>
        <source>Some words of the passage, as the document has them</source>
        <translation>该段落中的一些原文词语</translation>
    </message>
    <message>
        <source>Words of the passage</source>
        <translation>段落中的词语</translation>
    </message>
    <message>
        <source>Name a passage that the question above should have found: by some of its words, or by its file and then one of the passages in it. You see where it fell out, and what would help.</source>
        <translation>指出上方问题本该找到的段落：写下其中的一些词语，或选择文件，再选其中的一个段落。随后会显示它在哪一步被淘汰，以及怎样才能找到。</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Web page (*.html)</source>
        <translation>网页（*.html）</translation>
    </message>
    <message>
        <source>JSON, with all branches (*.json)</source>
        <translation>JSON，含所有分支（*.json）</translation>
    </message>
</context>
<context>
    <name>ExternalActions</name>
    <message>
        <source>Add files</source>
        <translation>添加文件</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>添加文件夹</translation>
    </message>
</context>
<context>
    <name>FileActions</name>
    <message>
        <source>Move to</source>
        <translation>移动到</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>与…比较</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Summarise</source>
        <translation>概括</translation>
    </message>
    <message>
        <source>Ask each…</source>
        <translation>逐份询问…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Read here</source>
        <translation>在此阅读</translation>
    </message>
    <message>
        <source>Show its passages</source>
        <translation>显示其段落</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Read this first</source>
        <translation>优先读取</translation>
    </message>
    <message>
        <source>Retry</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation>输入密码…</translation>
    </message>
    <message>
        <source>Forget password</source>
        <translation>清除密码</translation>
    </message>
    <message>
        <source>Look into the archives of this knowledge base</source>
        <translation>读取此知识库压缩包中的文件</translation>
    </message>
    <message>
        <source>Leave out of this folder…</source>
        <translation>从此文件夹中排除…</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>排除</translation>
    </message>
    <message>
        <source>Include again</source>
        <translation>重新纳入</translation>
    </message>
    <message>
        <source>Remove from the knowledge base</source>
        <translation>从知识库中移除</translation>
    </message>
</context>
<context>
    <name>FileCombo</name>
    <message>
        <source>In any file</source>
        <translation>任意文件</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>FileDetails</name>
    <message>
        <source>Details of what is chosen</source>
        <translation>所选内容的详情</translation>
    </message>
    <message>
        <source>Close the details</source>
        <translation>关闭详情</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Nothing is chosen</source>
        <translation>未选择文件</translation>
    </message>
    <message>
        <source>Choose a file to see what it is, and what helps where it is not read.</source>
        <translation>选择一个文件，即可查看它的信息，以及未能读取时的解决办法。</translation>
    </message>
    <message>
        <source>What can be done with so many files stands in their menu.</source>
        <translation>文件较多，可执行的操作请见右键菜单。</translation>
    </message>
</context>
<context>
    <name>FileFilterBar</name>
    <message>
        <source>Retry failed</source>
        <translation>重试失败的文件</translation>
    </message>
    <message>
        <source>Filter by name, folder, state or reason</source>
        <translation>按名称、文件夹、状态或原因筛选</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Show only the files that need attention</source>
        <translation>只显示需要处理的文件</translation>
    </message>
    <message>
        <source>Show the files there is nothing to read in: empty ones, and other kinds</source>
        <translation>显示没有内容可读的文件：空文件和其他类型的文件</translation>
    </message>
    <message>
        <source>Read every file with a problem again</source>
        <translation>重新读取所有有问题的文件</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>All states</source>
        <translation>所有状态</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>有问题</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>0 passages</source>
        <translation>0 个段落</translation>
    </message>
    <message>
        <source>Not read</source>
        <translation>未读取</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Protected</source>
        <translation>受密码保护</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Garbled</source>
        <translation>字符错误</translation>
    </message>
    <message>
        <source>Hard to read</source>
        <translation>文字不确定</translation>
    </message>
    <message>
        <source>Without text</source>
        <translation>没有文字</translation>
    </message>
    <message>
        <source>Other kinds</source>
        <translation>其他类型</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>副本</translation>
    </message>
</context>
<context>
    <name>FileRemedies</name>
    <message>
        <source>Enter password…</source>
        <translation>输入密码…</translation>
    </message>
    <message>
        <source>Read with text recognition</source>
        <translation>用文字识别读取</translation>
    </message>
    <message>
        <source>Look into archives</source>
        <translation>读取压缩包中的文件</translation>
    </message>
    <message>
        <source>Read again</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Read this first</source>
        <translation>优先读取</translation>
    </message>
    <message>
        <source>Include again</source>
        <translation>重新纳入</translation>
    </message>
    <message>
        <source>Enter password of %1…</source>
        <translation>输入 %1 个文件的密码…</translation>
    </message>
    <message>
        <source>Read %1 with text recognition</source>
        <translation>用文字识别读取 %1 个文件</translation>
    </message>
    <message>
        <source>Look into %1 archives</source>
        <translation>读取 %1 个压缩包中的文件</translation>
    </message>
    <message>
        <source>Read %1 again</source>
        <translation>重新读取 %1 个文件</translation>
    </message>
    <message>
        <source>Read these %1 first</source>
        <translation>优先读取这 %1 个文件</translation>
    </message>
    <message>
        <source>Include %1 again</source>
        <translation>重新纳入 %1 个文件</translation>
    </message>
    <message>
        <source>Turns text recognition on for all scans of this knowledge base.</source>
        <translation>将为此知识库的所有扫描件开启文字识别。</translation>
    </message>
    <message>
        <source>Looks into all archives of this knowledge base from now on.</source>
        <translation>今后将读取此知识库所有压缩包中的文件。</translation>
    </message>
    <message>
        <source>Its folder cannot be reached now; what was read of it is kept. Connect the drive: it is looked at again by itself.</source>
        <translation>目前无法访问它所在的文件夹；已读取的内容会保留。请连接该驱动器，程序会自动重新检查。</translation>
    </message>
    <message>
        <source>No folder that is followed holds it, so it is not read again. To have it read, add it once more.</source>
        <translation>它不在任何已跟踪的文件夹中，因此不会重新读取。如需读取，请再次添加。</translation>
    </message>
    <message>
        <source>There was nothing in it that can be found. Open it to see what it holds.</source>
        <translation>其中没有可检索的内容。请打开文件查看。</translation>
    </message>
</context>
<context>
    <name>FileTableModel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页数</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>修改时间</translation>
    </message>
    <message>
        <source>Reading time</source>
        <translation>读取用时</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
</context>
<context>
    <name>FileTablePage</name>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Add files (Ctrl+O)</source>
        <translation>添加文件（Ctrl+O）</translation>
    </message>
    <message>
        <source>Add a folder (Ctrl+Shift+O)</source>
        <translation>添加文件夹（Ctrl+Shift+O）</translation>
    </message>
    <message>
        <source>Details (Space)</source>
        <translation>详情（空格键）</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>No file is like that.</source>
        <translation>没有符合条件的文件。</translation>
    </message>
    <message>
        <source>There are no files yet.</source>
        <translation>还没有文件。</translation>
    </message>
    <message>
        <source>Files of “%1”</source>
        <translation>“%1”的文件</translation>
    </message>
    <message>
        <source>%1 in “%2”</source>
        <translation>“%2”中的 %1</translation>
    </message>
    <message>
        <source>Show the files of all folders in one list</source>
        <translation>在一个列表中显示所有文件夹的文件</translation>
    </message>
</context>
<context>
    <name>FileTableView</name>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>下一个（Enter）</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
</context>
<context>
    <name>FirstStart</name>
    <message>
        <source>Ask your own documents</source>
        <translation>向自己的文档提问</translation>
    </message>
    <message>
        <source>Every answer shows the quotes it rests on.</source>
        <translation>每个回答都会列出所依据的引文。</translation>
    </message>
    <message>
        <source>Better answers: a language model on this computer.</source>
        <translation>更好的回答：在这台电脑上安装语言模型。</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>设置…</translation>
    </message>
</context>
<context>
    <name>FirstSteps</name>
    <message>
        <source>Add a folder or files</source>
        <translation>添加文件夹或文件</translation>
    </message>
    <message>
        <source>In the library, or drop them anywhere in this window.</source>
        <translation>在资料库中添加，或拖放到窗口的任意位置。</translation>
    </message>
    <message>
        <source>Ask a question</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>In your own words, as soon as the first file is read.</source>
        <translation>用您自己的话提问，第一个文件读完即可开始。</translation>
    </message>
    <message>
        <source>Check the answer</source>
        <translation>核对回答</translation>
    </message>
    <message>
        <source>Each number leads to its quote, marked in the document.</source>
        <translation>每个编号都指向一条引文，并在文档中标出。</translation>
    </message>
</context>
<context>
    <name>FoundServerRow</name>
    <message>
        <source>Use this one</source>
        <translation>使用这个</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1，地址 %2</translation>
    </message>
    <message>
        <source>No model is loaded in it: load one there, then open this again.</source>
        <translation>其中没有加载任何模型：请在那里加载一个，然后重新打开此窗口。</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另有 %n 个</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FoundServersCard</name>
    <message>
        <source>Also running on this computer</source>
        <translation>这台电脑上还在运行</translation>
    </message>
</context>
<context>
    <name>Greeting</name>
    <message>
        <source>Ask your own documents</source>
        <translation>向自己的文档提问</translation>
    </message>
    <message>
        <source>Every answer shows the quotes it rests on.</source>
        <translation>每个回答都会列出所依据的引文。</translation>
    </message>
    <message>
        <source>Your documents can&apos;t be reached</source>
        <translation>无法访问您的文档</translation>
    </message>
    <message>
        <source>They are read as soon as their drive or network is there again.</source>
        <translation>其所在的磁盘或网络恢复后，会自动读取。</translation>
    </message>
    <message>
        <source>None of these files could be read</source>
        <translation>这些文件都无法读取</translation>
    </message>
    <message>
        <source>The list of documents says why.</source>
        <translation>文档列表中写明了原因。</translation>
    </message>
    <message>
        <source>Your documents are being read</source>
        <translation>正在读取您的文档</translation>
    </message>
    <message>
        <source>You can ask as soon as the first one is done.</source>
        <translation>读完第一个文档后即可提问。</translation>
    </message>
    <message>
        <source>What would you like to know?</source>
        <translation>您想了解什么？</translation>
    </message>
    <message>
        <source>Answers come with numbered quotes; click a number to see its quote in the document.</source>
        <translation>回答附有带编号的引文，点击编号即可在文档中查看引文。</translation>
    </message>
</context>
<context>
    <name>Health</name>
    <message>
        <source>Show in the table</source>
        <translation>在表格中显示</translation>
    </message>
    <message>
        <source>Could not be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Protected with a password</source>
        <translation>受密码保护</translation>
    </message>
    <message>
        <source>Pictures that were not read</source>
        <translation>未读取的图片</translation>
    </message>
    <message>
        <source>Pages with garbled letters</source>
        <translation>含错误字符的页</translation>
    </message>
    <message>
        <source>Pages that were hard to read</source>
        <translation>文字不确定的页</translation>
    </message>
    <message>
        <source>Out of date</source>
        <translation>已过时</translation>
    </message>
    <message>
        <source>Waiting to be read</source>
        <translation>等待读取</translation>
    </message>
    <message>
        <source>Pictures still to be read</source>
        <translation>尚待读取的图片</translation>
    </message>
    <message>
        <source>Without text</source>
        <translation>没有文字</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>Kinds that are not read</source>
        <translation>不读取的类型</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Text recognition is off for this knowledge base: what stands in scans and pictures is not found.</source>
        <translation>此知识库的文字识别已关闭：图片中的内容不会被找到。</translation>
    </message>
    <message>
        <source>Nothing of them is found. Another try helps where the disk or the connection was at fault; a damaged file must be saved anew in its own program.</source>
        <translation>其中的内容不会被找到。如果是磁盘或连接的问题，可以重试；损坏的文件需要在原来的程序中重新保存。</translation>
    </message>
    <message>
        <source>Only a password opens them. Nothing of them is found.</source>
        <translation>只有输入密码才能打开。其中的内容不会被找到。</translation>
    </message>
    <message>
        <source>Their text could not be recognised. Another try helps where it took too long.</source>
        <translation>其中的文字未能识别。如果是用时过长，可以重试。</translation>
    </message>
    <message>
        <source>Their fonts do not say which letters they show. Text recognition can read them.</source>
        <translation>其字体没有说明所显示的是哪些文字。文字识别可以读取。</translation>
    </message>
    <message>
        <source>Their text was recognised, and may be wrong. A larger or sharper copy helps.</source>
        <translation>其文字是识别出来的，可能有误。更大或更好的副本会有帮助。</translation>
    </message>
    <message>
        <source>They changed, or were read by an older version of the program: an older text is found.</source>
        <translation>这些文件已更改，或由旧版本的程序读取：找到的是旧的内容。</translation>
    </message>
    <message>
        <source>They are found as soon as they are read.</source>
        <translation>读取之后即可找到。</translation>
    </message>
    <message>
        <source>Their text is recognised when all other files are read.</source>
        <translation>在读取所有其他文件之后识别其中的文字。</translation>
    </message>
    <message>
        <source>They can be opened, and hold no text.</source>
        <translation>可以打开，但没有文字。</translation>
    </message>
    <message>
        <source>Files of the same content: it is kept, and found, once.</source>
        <translation>内容相同的文件：内容只保存一份，也只找到一次。</translation>
    </message>
    <message>
        <source>There is nothing in them that this program reads, or they are archives that it was not asked to look into.</source>
        <translation>其中没有本程序能读取的内容，或者是未要求读取的压缩包。</translation>
    </message>
    <message>
        <source>You took them out. They can be included again.</source>
        <translation>由您排除。可以重新包含。</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1 页</translation>
    </message>
    <message>
        <source>%1 pages</source>
        <translation>%1 页</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Turn text recognition on</source>
        <translation>打开文字识别</translation>
    </message>
    <message>
        <source>Enter password…</source>
        <translation>输入密码…</translation>
    </message>
    <message>
        <source>Read anew</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>Read now</source>
        <translation>立即读取</translation>
    </message>
    <message>
        <source>Recognise now</source>
        <translation>立即识别</translation>
    </message>
</context>
<context>
    <name>HealthPage</name>
    <message>
        <source>Back to the files (Esc)</source>
        <translation>返回文件（Esc）</translation>
    </message>
    <message>
        <source>Everything is read.</source>
        <translation>全部已读取。</translation>
    </message>
    <message>
        <source>There are no files yet.</source>
        <translation>还没有文件。</translation>
    </message>
    <message>
        <source>Health of “%1”</source>
        <translation>“%1”的状态</translation>
    </message>
</context>
<context>
    <name>HomePage</name>
    <message>
        <source>Home</source>
        <translation>主页</translation>
    </message>
    <message>
        <source>Knowledge bases</source>
        <translation>知识库</translation>
    </message>
    <message>
        <source>Last conversations</source>
        <translation>最近的对话</translation>
    </message>
</context>
<context>
    <name>ImportDialog</name>
    <message>
        <source>Import knowledge base</source>
        <translation>导入知识库</translation>
    </message>
    <message>
        <source>Folders and files to follow</source>
        <translation>要跟进的文件夹和文件</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Follow folders of this knowledge base?</source>
        <translation>要跟进这个知识库的文件夹吗？</translation>
    </message>
    <message>
        <source>“%1” names folders and files that are on this computer, too. Those that you tick are read and kept up to date from now on. Tick them only if you trust whoever made it.</source>
        <translation>“%1”提到的文件夹和文件，这台电脑上也有。勾选后，程序会读取它们，并从此跟进其中的更改。请仅在信任该文件的制作者时勾选。</translation>
    </message>
    <message>
        <source>Nothing is followed that is not ticked. You can add folders later.</source>
        <translation>未勾选的不会跟进。以后也可以再添加文件夹。</translation>
    </message>
</context>
<context>
    <name>IndexingAnnouncer</name>
    <message numerus="yes">
        <source>%n file(s) looked at.</source>
        <translation>
            <numerusform>已检查 %n 个文件。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n with a problem.</source>
        <translation>
            <numerusform>其中 %n 个有问题。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>JoinDialog</name>
    <message>
        <source>Join a shared knowledge base</source>
        <translation>加入共享知识库</translation>
    </message>
    <message>
        <source>Shared knowledge bases</source>
        <translation>共享的知识库</translation>
    </message>
    <message>
        <source>Asking the server…</source>
        <translation>正在询问服务器…</translation>
    </message>
    <message>
        <source>Join</source>
        <translation>加入</translation>
    </message>
    <message>
        <source>All of it is fetched to this computer, and followed from then on.</source>
        <translation>全部内容会取回到这台电脑，此后保持同步。</translation>
    </message>
    <message>
        <source>You have all that is shared there.</source>
        <translation>服务器上共享的内容您都已有。</translation>
    </message>
    <message>
        <source>Nothing is shared there yet.</source>
        <translation>服务器上还没有共享任何内容。</translation>
    </message>
    <message>
        <source>%1 – here as “%2”</source>
        <translation>%1 – 在此处名为“%2”</translation>
    </message>
    <message>
        <source>What is shared on the server of your settings?</source>
        <translation>设置中的服务器上共享了什么？</translation>
    </message>
</context>
<context>
    <name>KbChips</name>
    <message>
        <source>Knowledge bases that are asked</source>
        <translation>要提问的知识库</translation>
    </message>
    <message>
        <source>Ask the knowledge base “%1”</source>
        <translation>向知识库“%1”提问</translation>
    </message>
    <message>
        <source>By question</source>
        <translation>按问题</translation>
    </message>
    <message>
        <source>Choose the knowledge base by the question</source>
        <translation>按问题选择知识库</translation>
    </message>
    <message>
        <source>%n knowledge bases</source>
        <translation>%n 个知识库</translation>
    </message>
    <message>
        <source>Asked: %1</source>
        <translation>提问范围：%1</translation>
    </message>
    <message>
        <source>Choose by question</source>
        <translation>按问题选择</translation>
    </message>
</context>
<context>
    <name>KbMenu</name>
    <message>
        <source>New knowledge base</source>
        <translation>新建知识库</translation>
    </message>
    <message>
        <source>Name:</source>
        <translation>名称：</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>Rename knowledge base</source>
        <translation>重命名知识库</translation>
    </message>
    <message>
        <source>New name:</source>
        <translation>新名称：</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Names or paths that are left out, separated by commas:</source>
        <translation>要排除的名称或路径，以逗号分隔：</translation>
    </message>
    <message>
        <source>Leave out of this folder</source>
        <translation>从此文件夹中排除</translation>
    </message>
    <message>
        <source>Export knowledge base</source>
        <translation>导出知识库</translation>
    </message>
    <message>
        <source>Import knowledge base</source>
        <translation>导入知识库</translation>
    </message>
    <message>
        <source>Knowledge bases</source>
        <translation>知识库</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Every text of this knowledge base, the paths of its files and your name
go to the shared Chroma server that the settings name.

What it is called there:</source>
        <translation>该知识库的全部文本、文件路径和您的名字
将发送到设置中的共享 Chroma 服务器。

它在那里的名称：</translation>
    </message>
    <message>
        <source>Share knowledge base</source>
        <translation>共享知识库</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>New knowledge base…</source>
        <translation>新建知识库…</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>Join a shared knowledge base…</source>
        <translation>加入共享的知识库…</translation>
    </message>
    <message>
        <source>Stop sharing…</source>
        <translation>停止共享…</translation>
    </message>
    <message>
        <source>Read scans and pictures</source>
        <translation>读取图片中的文字</translation>
    </message>
    <message>
        <source>Look into archives</source>
        <translation>读取压缩包中的文件</translation>
    </message>
    <message>
        <source>Look for changes now</source>
        <translation>立即检查变化</translation>
    </message>
    <message>
        <source>Health…</source>
        <translation>状态…</translation>
    </message>
    <message>
        <source>Prepare…</source>
        <translation>预处理…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Export to a file…</source>
        <translation>导出到文件…</translation>
    </message>
    <message>
        <source>Share on a server…</source>
        <translation>共享到服务器…</translation>
    </message>
    <message>
        <source>Let other programs ask it…</source>
        <translation>允许其他程序查询…</translation>
    </message>
    <message>
        <source>Rebuild the search index</source>
        <translation>重建搜索索引</translation>
    </message>
    <message>
        <source>Delete this knowledge base…</source>
        <translation>删除此知识库…</translation>
    </message>
</context>
<context>
    <name>LabTabs</name>
    <message>
        <source>Back to the conversation (Esc)</source>
        <translation>返回对话（Esc）</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>en</source>
        <comment>the code of this language</comment>
        <translation>zh</translation>
    </message>
</context>
<context>
    <name>LanguageBanner</name>
    <message>
        <source>Much of “%1” is in a language that the built-in model does not read: it is found by its words, by meaning poorly or not at all. Another model reads a hundred languages.</source>
        <translation>“%1”中的大部分内容所用的语言，内置模型读不懂：可以按字词找到，按含义则找不准或找不到。换一个模型可以读懂上百种语言。</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>选择模型…</translation>
    </message>
</context>
<context>
    <name>LanguageCard</name>
    <message>
        <source>Languages</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The built-in model reads Latin, Chinese, Japanese, Korean, Cyrillic, Greek, Arabic, Hebrew, Thai and Devanagari letters. bge-m3 is a larger one, which also reads others, such as Tamil and Georgian ones; every passage is sent to Ollama then, once.</source>
        <translation>内置模型能读用拉丁字母、汉字、日文、韩文、西里尔字母、希腊字母、阿拉伯字母、希伯来字母、泰文和天城文书写的语言。bge-m3 更大，还能读泰米尔文、格鲁吉亚文等其他文字；选用后，每个段落都会发送给 Ollama 一次。</translation>
    </message>
    <message>
        <source>After a change, and a new start, every passage is embedded anew in the background; nothing is read again. Until that is done, the model before goes on answering, and what is new is found by its words.</source>
        <translation>更换并重新启动后，所有段落会在后台重新嵌入，无需重新读取文件。完成之前，仍由原来的模型查找；其间新增的内容按字词查找。</translation>
    </message>
    <message>
        <source>Fetch and use %1</source>
        <translation>下载并使用 %1</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>%1 is chosen.</source>
        <translation>已选择 %1。</translation>
    </message>
    <message>
        <source>%1: %2 of %3</source>
        <translation>%1：%2 / %3</translation>
    </message>
    <message>
        <source>%1 needs Ollama; see the page “Ollama”.</source>
        <translation>%1 需要 Ollama；请看“Ollama”页。</translation>
    </message>
    <message>
        <source>Ollama is on another computer: every passage would go there.</source>
        <translation>Ollama 在另一台电脑上：每个段落都会发送到那里。</translation>
    </message>
</context>
<context>
    <name>Library</name>
    <message>
        <source>My documents</source>
        <translation>我的文档</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页数</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>修改时间</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取时间</translation>
    </message>
    <message>
        <source>Shared by</source>
        <translation>共享者</translation>
    </message>
    <message>
        <source>PDF</source>
        <translation>PDF</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Slides</source>
        <translation>演示文稿</translation>
    </message>
    <message>
        <source>Spreadsheet</source>
        <translation>电子表格</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Mail</source>
        <translation>邮件</translation>
    </message>
    <message>
        <source>Web page</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>压缩包</translation>
    </message>
    <message>
        <source>Code or data</source>
        <translation>代码或数据</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Shared by others</source>
        <translation>他人共享</translation>
    </message>
    <message>
        <source>Not followed</source>
        <translation>未跟踪</translation>
    </message>
    <message>
        <source>Single files</source>
        <translation>单独添加的文件</translation>
    </message>
    <message>
        <source>%1 cannot be reached now; what was read of it is kept.</source>
        <translation>目前无法访问 %1；已读取的内容会保留。</translation>
    </message>
    <message>
        <source>Others shared these files. What they change is fetched while this knowledge base is shared.</source>
        <translation>这些文件由他人共享。只要此知识库仍在共享，他们的更改就会被取回。</translation>
    </message>
    <message>
        <source>No folder that is followed holds these files. What was read of them is kept, and changes to them are not seen.</source>
        <translation>这些文件不在任何已跟踪的文件夹中。已读取的内容会保留，但不会发现文件的更改。</translation>
    </message>
    <message>
        <source>Files that were added alone, not in a folder.</source>
        <translation>单独添加、不属于任何文件夹的文件。</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>no text</source>
        <translation>没有文字</translation>
    </message>
    <message>
        <source>only pictures</source>
        <translation>只有图片</translation>
    </message>
    <message>
        <source>encrypted</source>
        <translation>已加密</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>not supported</source>
        <translation>不支持</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>过大</translation>
    </message>
    <message>
        <source>took too long</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>no permission</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>pictures, still to be read</source>
        <translation>图片，尚待读取</translation>
    </message>
    <message>
        <source>pictures, not read (text recognition is off)</source>
        <translation>图片，未读取（文字识别已关闭）</translation>
    </message>
    <message>
        <source>archive, not read</source>
        <translation>压缩包，未读取</translation>
    </message>
    <message>
        <source>nothing found in it</source>
        <translation>未读到内容</translation>
    </message>
    <message>
        <source>Away – kept</source>
        <translation>离线（保留）</translation>
    </message>
    <message>
        <source>Away</source>
        <translation>离线</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Excluded</source>
        <translation>已排除</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Away – kept: %1</source>
        <translation>离线（保留）：%1</translation>
    </message>
    <message>
        <source>%1 with problems</source>
        <translation>%1 个文件有问题</translation>
    </message>
    <message>
        <source>%1 not read</source>
        <translation>%1 个未读取</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 个文件</translation>
    </message>
    <message>
        <source>%1 files</source>
        <translation>%1 个文件</translation>
    </message>
    <message>
        <source>%1 files chosen</source>
        <translation>已选择 %1 个文件</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1 页</translation>
    </message>
    <message>
        <source>%1 pages</source>
        <translation>%1 页</translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation>1 个段落</translation>
    </message>
    <message>
        <source>%1 passages</source>
        <translation>%1 个段落</translation>
    </message>
    <message>
        <source>%1 of %2 files</source>
        <translation>%1/%2 个文件</translation>
    </message>
    <message>
        <source>1 byte</source>
        <translation>1 字节</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 字节</translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%1 kB</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1 TB</source>
        <translation>%1 TB</translation>
    </message>
    <message>
        <source>%1 pages, read in %2 s</source>
        <translation>%1 页，读取用时 %2 秒</translation>
    </message>
    <message>
        <source>Shared by %1, %2</source>
        <translation>由 %1 共享，%2</translation>
    </message>
    <message>
        <source>Looking for files…</source>
        <translation>正在查找文件…</translation>
    </message>
    <message>
        <source>Exchanging files with the server: %1 of %2</source>
        <translation>正在与服务器交换文件：%1 / %2</translation>
    </message>
    <message>
        <source>Reading page %1 of %2</source>
        <translation>正在读取第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>Preparing: %1 of %2</source>
        <translation>正在预处理：%1/%2</translation>
    </message>
    <message>
        <source>Embedding: %1 of %2</source>
        <translation>正在重新嵌入：%1/%2</translation>
    </message>
    <message>
        <source>Bringing the index up to date…</source>
        <translation>正在更新索引…</translation>
    </message>
    <message>
        <source>Reading files: %1 of %2</source>
        <translation>正在读取文件：%1/%2</translation>
    </message>
    <message>
        <source>1 file waits</source>
        <translation>1 个文件等待读取</translation>
    </message>
    <message>
        <source>%1 files wait</source>
        <translation>%1 个文件等待读取</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Paused on battery</source>
        <translation>使用电池，已暂停</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>正在移除…</translation>
    </message>
    <message>
        <source>Exporting “%1”…</source>
        <translation>正在导出“%1”…</translation>
    </message>
    <message>
        <source>Importing…</source>
        <translation>正在导入…</translation>
    </message>
    <message>
        <source>Rebuilding the index of “%1”…</source>
        <translation>正在重建“%1”的索引…</translation>
    </message>
    <message>
        <source>Sharing “%1”…</source>
        <translation>正在共享“%1”…</translation>
    </message>
    <message>
        <source>Fetching “%1”…</source>
        <translation>正在获取“%1”…</translation>
    </message>
    <message>
        <source>Deleting “%1”…</source>
        <translation>正在删除“%1”…</translation>
    </message>
    <message>
        <source>Excluding…</source>
        <translation>正在排除…</translation>
    </message>
    <message>
        <source>Moving…</source>
        <translation>正在移动…</translation>
    </message>
    <message>
        <source>%1 passages/s</source>
        <translation>%1 个段落/秒</translation>
    </message>
    <message>
        <source>For the new embedding model</source>
        <translation>用于新的嵌入模型</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取 %1</translation>
    </message>
    <message>
        <source>Indexing %1</source>
        <translation>正在索引 %1</translation>
    </message>
    <message>
        <source>Stored %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>Recognising the text of %1</source>
        <translation>正在识别 %1 中的文字</translation>
    </message>
    <message>
        <source>about a minute</source>
        <translation>约一分钟</translation>
    </message>
    <message>
        <source>about %1 min at the rate of this computer</source>
        <translation>按这台电脑的速度约需 %1 分钟</translation>
    </message>
    <message>
        <source>about %1 h at the rate of this computer</source>
        <translation>按这台电脑的速度约需 %1 小时</translation>
    </message>
    <message>
        <source>a few seconds left</source>
        <translation>还需几秒</translation>
    </message>
    <message>
        <source>about %1 s left</source>
        <translation>约剩 %1 秒</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>约剩 %1 分钟</translation>
    </message>
    <message>
        <source>about %1 h left</source>
        <translation>约剩 %1 小时</translation>
    </message>
    <message>
        <source>%1 of %2 ready</source>
        <translation>%1/%2 已就绪</translation>
    </message>
</context>
<context>
    <name>LibraryPane</name>
    <message>
        <source>Folders</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>Knowledge base</source>
        <translation>知识库</translation>
    </message>
    <message>
        <source>Knowledge base: new, rename, export, import, delete</source>
        <translation>知识库：新建、重命名、导出、导入、删除</translation>
    </message>
    <message>
        <source>Show the files of all folders in one list</source>
        <translation>在一个列表中显示所有文件夹的文件</translation>
    </message>
    <message>
        <source>Health: what files lack, what mends it</source>
        <translation>状态：文件缺少什么，如何处理</translation>
    </message>
</context>
<context>
    <name>Listed</name>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>MethodChip</name>
    <message>
        <source>No changes</source>
        <translation>无改动</translation>
    </message>
    <message>
        <source>Language model: %1</source>
        <translation>语言模型：%1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Changes to the question: %1</source>
        <translation>对问题的改动：%1</translation>
    </message>
    <message>
        <source>Changes to the question</source>
        <translation>对问题的改动</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>语言模型</translation>
    </message>
</context>
<context>
    <name>MetricsTableModel</name>
    <message>
        <source>Ability</source>
        <translation>能力</translation>
    </message>
    <message>
        <source>Way</source>
        <translation>方式</translation>
    </message>
</context>
<context>
    <name>MetricsTableView</name>
    <message>
        <source>Figures</source>
        <translation>数值</translation>
    </message>
</context>
<context>
    <name>ModeRail</name>
    <message>
        <source>Home (Ctrl+1)</source>
        <translation>主页（Ctrl+1）</translation>
    </message>
    <message>
        <source>Ask (Ctrl+2)</source>
        <translation>提问（Ctrl+2）</translation>
    </message>
    <message>
        <source>Library (Ctrl+3)</source>
        <translation>资料库（Ctrl+3）</translation>
    </message>
    <message>
        <source>Notes (Ctrl+4)</source>
        <translation>笔记（Ctrl+4）</translation>
    </message>
    <message>
        <source>Workbench: try and compare (Ctrl+5)</source>
        <translation>工作台：试用与比较（Ctrl+5）</translation>
    </message>
    <message>
        <source>Show or hide the list (Ctrl+B)</source>
        <translation>显示或隐藏列表（Ctrl+B）</translation>
    </message>
    <message>
        <source>Sources of the answer</source>
        <translation>回答的来源</translation>
    </message>
    <message>
        <source>Keyboard shortcuts (F1)</source>
        <translation>键盘快捷键（F1）</translation>
    </message>
    <message>
        <source>Settings (Ctrl+,)</source>
        <translation>设置（Ctrl+,）</translation>
    </message>
</context>
<context>
    <name>ModelChoicePage</name>
    <message>
        <source>Another model of Ollama&apos;s library:</source>
        <translation>Ollama 模型库中的其他模型：</translation>
    </message>
    <message>
        <source>The server has no model that answers: load one there, then open this again.</source>
        <translation>该服务器没有可以回答的模型：请在那里加载一个，然后重新打开此窗口。</translation>
    </message>
    <message>
        <source>Ollama runs, and has models already. Use one, or fetch another.</source>
        <translation>Ollama 已在运行，并且已有模型。可以直接使用，也可以下载其他模型。</translation>
    </message>
    <message>
        <source>Another computer</source>
        <translation>另一台电脑</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>To fetch</source>
        <translation>可下载</translation>
    </message>
    <message>
        <source>In the cloud</source>
        <translation>在云端</translation>
    </message>
    <message>
        <source>In %1</source>
        <translation>%1 中的模型</translation>
    </message>
    <message>
        <source>On that computer</source>
        <translation>那台电脑上已有</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>这台电脑上已有</translation>
    </message>
    <message>
        <source>Runs at %1, which Ollama passes questions on to.</source>
        <translation>运行在 %1，Ollama 会把问题转发到那里。</translation>
    </message>
    <message>
        <source>leaves this computer</source>
        <translation>离开这台电脑</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 参数</translation>
    </message>
    <message>
        <source>%1 on the disk</source>
        <translation>占用磁盘 %1</translation>
    </message>
    <message>
        <source>made for %1 tokens</source>
        <translation>支持 %1 个 token</translation>
    </message>
    <message>
        <source>%1 to fetch, for a computer with %2 of memory.</source>
        <translation>需下载 %1，适合内存为 %2 的电脑。</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>Languages: %1</source>
        <translation>语言：%1</translation>
    </message>
    <message>
        <source>This computer has less.</source>
        <translation>这台电脑的内存不足。</translation>
    </message>
    <message>
        <source>recommended</source>
        <translation>推荐</translation>
    </message>
    <message>
        <source>Ollama is set to %1, which is another computer. What that one can run is not known here.</source>
        <translation>Ollama 设置为 %1，那是另一台电脑。这里不知道那台电脑能运行什么模型。</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>%1 GB of memory</source>
        <translation>内存 %1 GB</translation>
    </message>
    <message numerus="yes">
        <source>%n processor core(s)</source>
        <translation>
            <numerusform>处理器 %n 核</numerusform>
        </translation>
    </message>
    <message>
        <source>GPU: none found; a model runs on the processor, which is slower</source>
        <translation>GPU：未找到；模型将在处理器上运行，速度较慢</translation>
    </message>
    <message>
        <source>GPU: %1</source>
        <translation>GPU：%1</translation>
    </message>
    <message>
        <source>%1 with %2 GB</source>
        <translation>%1（%2 GB）</translation>
    </message>
    <message>
        <source>Name of another model</source>
        <translation>其他模型的名称</translation>
    </message>
    <message>
        <source>for example: mistral:7b</source>
        <translation>例如：mistral:7b</translation>
    </message>
    <message>
        <source>A smaller model needs less memory and answers sooner; a larger one answers better. How fast it is on this computer, the last step shows.</source>
        <translation>模型越小，占用内存越少，回答越快；模型越大，回答越好。在这台电脑上有多快，最后一步会显示。</translation>
    </message>
</context>
<context>
    <name>ModelSetupDialog</name>
    <message>
        <source>Set up a language model</source>
        <translation>设置语言模型</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用此模型</translation>
    </message>
    <message>
        <source>1. Choose a model</source>
        <translation>1. 选择模型</translation>
    </message>
    <message>
        <source>2. Get Ollama</source>
        <translation>2. 获取 Ollama</translation>
    </message>
    <message>
        <source>3. Fetch and try</source>
        <translation>3. 下载并试用</translation>
    </message>
</context>
<context>
    <name>ModelSetupRow</name>
    <message>
        <source>A language model in three steps: choose one, get Ollama, try it.</source>
        <translation>三步设置语言模型：选择模型、获取 Ollama、试用。</translation>
    </message>
    <message>
        <source>Set up step by step…</source>
        <translation>逐步设置…</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>%1 · in the cloud</source>
        <translation>%1 · 在云端</translation>
    </message>
</context>
<context>
    <name>NameCompleter</name>
    <message>
        <source>Names that fit</source>
        <translation>匹配的名称</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>第 %1 项，共 %2 项</translation>
    </message>
</context>
<context>
    <name>NoteExportDialog</name>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Word document (*.docx)</source>
        <translation>Word 文档 (*.docx)</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
</context>
<context>
    <name>NoteList</name>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>NotePanel</name>
    <message>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <source>Title of the note</source>
        <translation>笔记标题</translation>
    </message>
    <message>
        <source>Export this note…</source>
        <translation>导出此笔记…</translation>
    </message>
    <message>
        <source>Delete this note</source>
        <translation>删除此笔记</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Text of the note, as Markdown</source>
        <translation>笔记正文（Markdown）</translation>
    </message>
    <message>
        <source>Write here. [1] stands for the first source.</source>
        <translation>在此书写。[1] 表示第一个来源。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
</context>
<context>
    <name>Notes</name>
    <message>
        <source>Untitled</source>
        <translation>无标题</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Quote</source>
        <translation>引文</translation>
    </message>
    <message>
        <source>Part of an answer</source>
        <translation>回答节选</translation>
    </message>
    <message>
        <source>Own note</source>
        <translation>自己的笔记</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <comment>a day</comment>
        <translation>yyyy年M月d日</translation>
    </message>
</context>
<context>
    <name>NotesPage</name>
    <message>
        <source>Write a note</source>
        <translation>写笔记</translation>
    </message>
    <message>
        <source>Export all notes…</source>
        <translation>导出全部笔记…</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>已导出到 %1。</translation>
    </message>
    <message numerus="yes">
        <source>%n notes deleted.</source>
        <translation>
            <numerusform>已删除 %n 条笔记。</numerusform>
        </translation>
    </message>
    <message>
        <source>Note deleted.</source>
        <translation>笔记已删除。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>未找到。</translation>
    </message>
    <message>
        <source>Choose a note.</source>
        <translation>请选择一条笔记。</translation>
    </message>
    <message>
        <source>Search notes</source>
        <translation>搜索笔记</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Clear the search (Esc)</source>
        <translation>清除搜索（Esc）</translation>
    </message>
</context>
<context>
    <name>OllamaModelTable</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>磁盘占用</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Tokens of context that the model was made for</source>
        <translation>模型设计支持的上下文 token 数</translation>
    </message>
    <message>
        <source>runs at %1</source>
        <translation>运行于 %1</translation>
    </message>
    <message>
        <source>for embedding</source>
        <translation>用于嵌入</translation>
    </message>
    <message>
        <source>loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <source>loaded with %1 of %2</source>
        <translation>已加载，上下文 %1/%2</translation>
    </message>
    <message>
        <source>loaded with %1</source>
        <translation>已加载，上下文 %1</translation>
    </message>
</context>
<context>
    <name>OutlinePanel</name>
    <message>
        <source>Outline of the document</source>
        <translation>文档大纲</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>大纲</translation>
    </message>
</context>
<context>
    <name>PageList</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>PassageList</name>
    <message>
        <source>Passages</source>
        <translation>段落</translation>
    </message>
</context>
<context>
    <name>PasswordDialog</name>
    <message>
        <source>Enter password</source>
        <translation>输入密码</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Show the password</source>
        <translation>显示密码</translation>
    </message>
    <message>
        <source>Keep it in the system&apos;s key ring</source>
        <translation>保存到系统密码库</translation>
    </message>
    <message>
        <source>Read the file</source>
        <translation>读取文件</translation>
    </message>
    <message>
        <source>Read the files</source>
        <translation>读取文件</translation>
    </message>
    <message>
        <source>It is kept until you choose “Forget password” or remove the file.</source>
        <translation>密码会一直保存，直到您选择“清除密码”或移除该文件。</translation>
    </message>
    <message>
        <source>The password is kept until Desktop RAG ends.</source>
        <translation>密码会保留到 Desktop RAG 退出为止。</translation>
    </message>
    <message>
        <source>Password of “%1”</source>
        <translation>“%1”的密码</translation>
    </message>
    <message>
        <source>One password for %1</source>
        <translation>%1共用一个密码</translation>
    </message>
    <message>
        <source>It is tried on each of them.</source>
        <translation>每个文件都会用这个密码打开一次。</translation>
    </message>
</context>
<context>
    <name>PdfPresenter</name>
    <message>
        <source>This page can&apos;t be drawn: %1</source>
        <translation>无法显示此页：%1</translation>
    </message>
    <message>
        <source>This page can&apos;t be drawn. Its text:</source>
        <translation>无法显示此页。以下是其文字：</translation>
    </message>
</context>
<context>
    <name>PdfView</name>
    <message>
        <source>Pages of the document</source>
        <translation>文档页面</translation>
    </message>
    <message>
        <source>Page %1 of %2</source>
        <translation>第 %1 页，共 %2 页</translation>
    </message>
    <message>
        <source>Marked: %1</source>
        <translation>标记：%1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select the page&apos;s text</source>
        <translation>选择页面文字</translation>
    </message>
</context>
<context>
    <name>Places</name>
    <message>
        <source>part body</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>part head</source>
        <translation>信头</translation>
    </message>
    <message>
        <source>part header</source>
        <translation>页眉</translation>
    </message>
    <message>
        <source>part footer</source>
        <translation>页脚</translation>
    </message>
    <message>
        <source>part footnotes</source>
        <translation>脚注</translation>
    </message>
    <message>
        <source>part endnotes</source>
        <translation>尾注</translation>
    </message>
    <message>
        <source>part comments</source>
        <translation>批注</translation>
    </message>
    <message>
        <source>part form</source>
        <translation>表单</translation>
    </message>
    <message>
        <source>part cell %1</source>
        <translation>单元格 %1</translation>
    </message>
    <message>
        <source>page %1</source>
        <translation>第 %1 页</translation>
    </message>
    <message>
        <source>slide %1</source>
        <translation>第 %1 张幻灯片</translation>
    </message>
    <message>
        <source>sheet %1</source>
        <translation>工作表 %1</translation>
    </message>
    <message>
        <source>row %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>section %1</source>
        <translation>章节 %1</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>part %1</source>
        <translation>部分 %1</translation>
    </message>
    <message>
        <source>message %1</source>
        <translation>第 %1 封邮件</translation>
    </message>
</context>
<context>
    <name>PreparationCard</name>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Look at it…</source>
        <translation>查看…</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>预处理</translation>
    </message>
    <message>
        <source>There is nothing to prepare yet.</source>
        <translation>还没有可以预处理的内容。</translation>
    </message>
    <message>
        <source>Not prepared · %1 passages to go through</source>
        <translation>未预处理 · 共 %1 个段落</translation>
    </message>
    <message>
        <source>%1 of %2 documents, %3 derived texts</source>
        <translation>%1/%2 个文档，%3 条派生文本</translation>
    </message>
    <message>
        <source>by %1</source>
        <translation>由 %1 生成</translation>
    </message>
    <message>
        <source>without a language model</source>
        <translation>不用语言模型</translation>
    </message>
    <message>
        <source>Prepared</source>
        <translation>已就绪</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Being prepared when nothing else is read</source>
        <translation>在没有其他文件要读时处理</translation>
    </message>
</context>
<context>
    <name>PreparationDialog</name>
    <message>
        <source>Prepare “%1”</source>
        <translation>预处理“%1”</translation>
    </message>
    <message>
        <source>Let the language model write, where there is one</source>
        <translation>有语言模型时由它来写</translation>
    </message>
    <message>
        <source>Some ways to answer need work done beforehand. It is done in the background, goes on where it was stopped, and keeps up with your files. Answers cite the original passages.</source>
        <translation>有些回答方式需要事先处理文档。处理在后台进行，中断后会接着做，并随文件的变化更新。回答引用的始终是原文段落。</translation>
    </message>
</context>
<context>
    <name>ProgressCard</name>
    <message>
        <source>Progress of indexing</source>
        <translation>索引进度</translation>
    </message>
    <message>
        <source>Pause: files wait until you resume, also after a restart</source>
        <translation>暂停：文件会一直等待到您继续，重启后也是如此</translation>
    </message>
    <message>
        <source>Stop: what waits is read at the next look for changes</source>
        <translation>停止：等待中的文件会在下次检查变化时读取</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Read anyway</source>
        <translation>仍然读取</translation>
    </message>
</context>
<context>
    <name>ProposalsDialog</name>
    <message>
        <source>Proposed questions</source>
        <translation>提议的问题</translation>
    </message>
    <message>
        <source>Propose</source>
        <translation>提议</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Save ticked (%1)</source>
        <translation>保存勾选的（%1）</translation>
    </message>
    <message>
        <source>How many questions</source>
        <translation>问题数量</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Passages are taken at random. The language model writes a question about each, if there is one.</source>
        <translation>随机抽取段落。有语言模型时，由它就每个段落写一个问题。</translation>
    </message>
    <message>
        <source>Questions about “%1”:</source>
        <translation>关于“%1”的问题：</translation>
    </message>
</context>
<context>
    <name>PullCard</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Ollama fetches %1: %2 of %3</source>
        <translation>Ollama 正在下载 %1：%2 / %3</translation>
    </message>
    <message>
        <source>Ollama asks for %1…</source>
        <translation>Ollama 正在请求 %1…</translation>
    </message>
    <message>
        <source>This window can be closed meanwhile: the download goes on.</source>
        <translation>可以关闭此窗口，下载会继续。</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>%2 has %1.</source>
        <translation>%2 已有 %1。</translation>
    </message>
    <message>
        <source>%2 has no model %1.</source>
        <translation>%2 没有模型 %1。</translation>
    </message>
    <message>
        <source>Load it there, or go back and choose another one.</source>
        <translation>请在该程序中加载它，或返回并选择另一个模型。</translation>
    </message>
    <message>
        <source>Ollama does not have %1 yet.</source>
        <translation>Ollama 还没有 %1。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>%1 could not be fetched.</source>
        <translation>无法下载 %1。</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Ollama keeps what has come, and goes on there. If it is started anew meanwhile, it may begin from the start.</source>
        <translation>Ollama 会保留已下载的部分，并从那里继续。若其间重新启动 Ollama，可能要从头开始。</translation>
    </message>
    <message>
        <source>Paused: %1 is not whole yet.</source>
        <translation>已暂停：%1 尚未下载完。</translation>
    </message>
    <message>
        <source>%1 can&apos;t be fetched now.</source>
        <translation>现在无法下载 %1。</translation>
    </message>
    <message>
        <source>Another model is being fetched: %1.</source>
        <translation>正在下载另一个模型：%1。</translation>
    </message>
    <message>
        <source>It is %1 to fetch.</source>
        <translation>需下载 %1。</translation>
    </message>
    <message>
        <source>Ollama fetches it from its library on the internet; nothing of your documents is sent. It can be paused.</source>
        <translation>由 Ollama 从其互联网模型库下载，不会发送您文档的任何内容。下载可以暂停。</translation>
    </message>
</context>
<context>
    <name>QuestionCard</name>
    <message>
        <source>What is the capital of France?</source>
        <translation>法国的首都是哪里？</translation>
    </message>
    <message>
        <source>Asked: “%1”</source>
        <translation>提问：“%1”</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再问一次</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>It works.</source>
        <translation>可以使用。</translation>
    </message>
    <message>
        <source>%1 did not answer.</source>
        <translation>%1 没有回答。</translation>
    </message>
    <message>
        <source>%1 is asked…</source>
        <translation>正在向 %1 提问…</translation>
    </message>
    <message>
        <source>%1 answers…</source>
        <translation>%1 正在回答…</translation>
    </message>
    <message>
        <source>It is not asked before you allow it.</source>
        <translation>未经您允许不会提问。</translation>
    </message>
    <message>
        <source>It was not asked to the end.</source>
        <translation>提问已中止。</translation>
    </message>
    <message>
        <source>The first word came after %1 s, the whole after %2 s. A question about documents takes longer: the model reads passages first.</source>
        <translation>%1 秒后开始回答，%2 秒后答完。关于文档的问题需要更长时间：模型要先读段落。</translation>
    </message>
    <message>
        <source>The first time it has to be loaded, which may take a minute.</source>
        <translation>首次使用需要加载模型，可能要等一分钟。</translation>
    </message>
</context>
<context>
    <name>QuestionDialog</name>
    <message>
        <source>Change a test question</source>
        <translation>修改测试问题</translation>
    </message>
    <message>
        <source>New test question</source>
        <translation>新测试问题</translation>
    </message>
    <message>
        <source>Find passages</source>
        <translation>查找段落</translation>
    </message>
    <message>
        <source>The ticked passages answer the question: a search should find them.</source>
        <translation>勾选的段落能回答这个问题，检索时应当找到它们。</translation>
    </message>
    <message>
        <source>Tick the passages that answer it, or only the answer is measured.</source>
        <translation>请勾选回答它的段落，否则只测量回答。</translation>
    </message>
    <message>
        <source>No passage and no answer: the documents do not answer it, and it is right to say so.</source>
        <translation>没有段落也没有答案：文档没有回答它，如实说出才是对的。</translation>
    </message>
    <message>
        <source>%1, the whole file</source>
        <translation>%1，整个文件</translation>
    </message>
    <message>
        <source>Question set</source>
        <translation>问题集</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Right answers, one a line</source>
        <translation>正确答案，每行一个</translation>
    </message>
    <message>
        <source>One a line; short ones are compared best</source>
        <translation>每行一个；短答案最便于比较</translation>
    </message>
    <message>
        <source>Passages that answer it</source>
        <translation>回答它的段落</translation>
    </message>
    <message>
        <source>Right answers</source>
        <translation>正确答案</translation>
    </message>
    <message>
        <source>My questions</source>
        <translation>我的问题</translation>
    </message>
</context>
<context>
    <name>QuestionSetDialog</name>
    <message>
        <source>Questions of “%1”</source>
        <translation>“%1”中的问题</translation>
    </message>
    <message>
        <source>New…</source>
        <translation>新建…</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>修改…</translation>
    </message>
    <message>
        <source>Show in document</source>
        <translation>在文档中显示</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>There is no question in this set.</source>
        <translation>这个问题集中没有问题。</translation>
    </message>
    <message>
        <source>only its passages are measured</source>
        <translation>只测量其段落</translation>
    </message>
    <message>
        <source>the documents do not answer it</source>
        <translation>文档没有回答它</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>QuestionSetMenu</name>
    <message>
        <source>New question…</source>
        <translation>新问题…</translation>
    </message>
    <message>
        <source>Propose questions…</source>
        <translation>提议问题…</translation>
    </message>
    <message>
        <source>Import questions…</source>
        <translation>导入问题…</translation>
    </message>
    <message>
        <source>Export this set…</source>
        <translation>导出这个问题集…</translation>
    </message>
    <message>
        <source>Measure on files…</source>
        <translation>用文件测量…</translation>
    </message>
    <message>
        <source>Delete this set…</source>
        <translation>删除这个问题集…</translation>
    </message>
    <message>
        <source>Import questions</source>
        <translation>导入问题</translation>
    </message>
    <message>
        <source>Export this set</source>
        <translation>导出这个问题集</translation>
    </message>
    <message>
        <source>1 of 2: the corpus (id, title, text)</source>
        <translation>第 1 步，共 2 步：语料（id、title、text）</translation>
    </message>
    <message>
        <source>Export figures</source>
        <translation>导出数值</translation>
    </message>
    <message>
        <source>Delete the question set “%1”, with the runs over it?</source>
        <translation>删除问题集“%1”及其测量记录？</translation>
    </message>
    <message>
        <source>Delete set</source>
        <translation>删除问题集</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>2 of 2: the questions (id, question, answers, gold)</source>
        <translation>第 2 步，共 2 步：问题（id、question、answers、gold）</translation>
    </message>
    <message>
        <source>JSON lines (%1)</source>
        <translation>JSON 行（%1）</translation>
    </message>
</context>
<context>
    <name>RechunkRow</name>
    <message>
        <source>Do it now</source>
        <translation>立即执行</translation>
    </message>
    <message>
        <source>After a change, documents are cut anew when they are next indexed: at the latest when the program starts again. Until then they are found as they are.</source>
        <translation>更改后，文档会在下次建立索引时重新切分，最迟在程序重新启动时。在此之前仍按现状检索。</translation>
    </message>
    <message>
        <source>Documents are being looked through; you can close the settings.</source>
        <translation>正在检查文档，您可以关闭设置。</translation>
    </message>
</context>
<context>
    <name>RecoveryDialog</name>
    <message>
        <source>The catalog is damaged</source>
        <translation>目录数据库已损坏</translation>
    </message>
    <message>
        <source>What is kept and lost</source>
        <translation>保留和丢失的内容</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>“Recover” keeps everything that can still be read, takes the rest from the newest copy, and then says what is lost. Your own files are not touched.</source>
        <translation>“恢复”会保留所有仍可读取的内容，其余内容取自最新的副本，然后说明丢失了什么。您自己的文件不会被改动。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The catalog is being recovered.</source>
        <translation>正在恢复目录数据库。</translation>
    </message>
    <message>
        <source>It is read page by page. This may take minutes.</source>
        <translation>正在逐页读取，可能需要几分钟。</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>正在读取%1</translation>
    </message>
    <message>
        <source>Looking through the catalog</source>
        <translation>正在检查目录数据库</translation>
    </message>
    <message>
        <source>It could not be recovered. Your own files are not touched.</source>
        <translation>未能恢复。您自己的文件不会被改动。</translation>
    </message>
    <message>
        <source>The catalog is sound; nothing was changed.</source>
        <translation>目录数据库完好，未作任何更改。</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>The catalog is recovered</source>
        <translation>目录数据库已恢复</translation>
    </message>
    <message>
        <source>The damaged catalog still holds text. It is kept as %1 until you delete it, or remove something from a knowledge base.</source>
        <translation>损坏的目录数据库中仍有文本。它保留为 %1，直到您将其删除，或从知识库中移除内容。</translation>
    </message>
    <message>
        <source>Nothing could be read from the damaged catalog, and there is no copy. A new, empty one stands in its place.</source>
        <translation>损坏的目录数据库无法读出任何内容，也没有副本。已新建一个空的目录数据库。</translation>
    </message>
    <message>
        <source>The catalog is recovered. Not everything could be saved.</source>
        <translation>目录数据库已恢复，但有部分内容未能挽回。</translation>
    </message>
    <message>
        <source>The catalog is recovered. It is not known whether anything is lost.</source>
        <translation>目录数据库已恢复，但无法确定是否有内容丢失。</translation>
    </message>
    <message>
        <source>The catalog is recovered; nothing is lost.</source>
        <translation>目录数据库已恢复，没有丢失任何内容。</translation>
    </message>
    <message>
        <source>No followed folder is kept: add your folders again, and they are read.</source>
        <translation>跟踪的文件夹均未保留：请重新添加您的文件夹，其内容会重新读取。</translation>
    </message>
    <message>
        <source>Texts that were lost are read again where their folder is followed.</source>
        <translation>丢失的文本会重新读取，前提是其文件夹已被跟踪。</translation>
    </message>
    <message numerus="yes">
        <source>%n knowledge base(s), conversation(s) or question set(s) have new names.</source>
        <translation>
            <numerusform>有 %n 个知识库、对话或问题集使用了新名称。</numerusform>
        </translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>of these, from a copy</source>
        <translation>其中取自副本</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>丢失</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>至少 %1</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>不详</translation>
    </message>
    <message>
        <source>knowledge bases</source>
        <translation>知识库</translation>
    </message>
    <message>
        <source>followed folders</source>
        <translation>跟踪的文件夹</translation>
    </message>
    <message>
        <source>files left out</source>
        <translation>排除的文件</translation>
    </message>
    <message>
        <source>consents</source>
        <translation>许可</translation>
    </message>
    <message>
        <source>files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>chunks</source>
        <translation>文本块</translation>
    </message>
    <message>
        <source>conversations</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>drafts</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>question sets</source>
        <translation>问题集</translation>
    </message>
    <message>
        <source>saved questions</source>
        <translation>已保存的问题</translation>
    </message>
    <message>
        <source>places of answers</source>
        <translation>答案位置</translation>
    </message>
    <message>
        <source>measured runs</source>
        <translation>评测记录</translation>
    </message>
    <message>
        <source>notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>vectors</source>
        <translation>向量</translation>
    </message>
</context>
<context>
    <name>RemoteAccessCard</name>
    <message>
        <source>Ollama: looking…</source>
        <translation>Ollama：正在检查…</translation>
    </message>
    <message>
        <source>%1 at %2, on this computer. What is sent to it stays here, unless that program itself passes it on.</source>
        <translation>%1，地址 %2，位于这台电脑上。发送给它的内容不会离开这台电脑，除非该程序自行转发。</translation>
    </message>
    <message>
        <source>Ollama at %1, on this computer. What is sent to it stays here, unless Ollama passes it on to a model in the cloud; no such model is used without your consent.</source>
        <translation>Ollama 位于 %1，在这台电脑上。发送给它的内容不会离开本机，除非它转交给云端的模型：未经您许可不会使用这类模型。</translation>
    </message>
    <message>
        <source>Ollama at %1 is another computer: blocked.</source>
        <translation>位于 %1 的 Ollama 是另一台电脑：已阻止。</translation>
    </message>
    <message>
        <source>Ollama at %1 is another computer: allowed for this run, without asking.</source>
        <translation>位于 %1 的 Ollama 是另一台电脑：本次运行已允许使用，不再询问。</translation>
    </message>
    <message>
        <source>Ollama at %1 is another computer: not used without your consent.</source>
        <translation>位于 %1 的 Ollama 是另一台电脑：未经您许可不会使用。</translation>
    </message>
    <message>
        <source>Ollama at %1 is another computer: it is sent passages of %2.</source>
        <translation>位于 %1 的 Ollama 是另一台电脑：会向它发送 %2 的段落。</translation>
    </message>
    <message>
        <source>Chroma at %1, on this computer.</source>
        <translation>Chroma 位于 %1，在这台电脑上。</translation>
    </message>
    <message>
        <source>Chroma at %1 is another computer: blocked.</source>
        <translation>位于 %1 的 Chroma 是另一台电脑：已阻止。</translation>
    </message>
    <message>
        <source>Chroma at %1 is another computer: allowed for this run, without asking.</source>
        <translation>位于 %1 的 Chroma 是另一台电脑：本次运行已允许使用，不再询问。</translation>
    </message>
    <message>
        <source>Chroma at %1 is another computer: what you share there, and allow below.</source>
        <translation>%1 的 Chroma 在另一台计算机上：您共享到那里并在下面允许的内容。</translation>
    </message>
    <message>
        <source>No other program may ask your documents.</source>
        <translation>没有其他程序可以查询您的文档。</translation>
    </message>
    <message>
        <source>Other programs on this computer may ask %1, and send what they read elsewhere. That is changed in the menu of the knowledge base.</source>
        <translation>本机上的其他程序可以查询%1，并可能把读到的内容发送到别处。可在该知识库的菜单中更改。</translation>
    </message>
    <message>
        <source>Nothing else: no telemetry, no update checks, no fonts or pictures from the web.</source>
        <translation>除此之外没有其他连接：没有遥测，没有更新检查，也不从网络加载字体或图片。</translation>
    </message>
    <message>
        <source>The password of a file is kept in memory until Desktop RAG ends, and in the system&apos;s key ring only if you tick that.</source>
        <translation>文件的密码保留在内存中，直到 Desktop RAG 退出；只有您勾选时才会保存到系统密码库。</translation>
    </message>
    <message>
        <source>A link in a document or an answer is opened in your browser, after you have seen it in full. Models are fetched by Ollama itself, when you ask for one.</source>
        <translation>文档或回答中的链接会先完整显示，再由您的浏览器打开。模型由 Ollama 自行下载，仅在您要求时进行。</translation>
    </message>
</context>
<context>
    <name>RemoteModelNotice</name>
    <message>
        <source>Allow…</source>
        <translation>允许…</translation>
    </message>
    <message>
        <source>%1 does not run on this computer: it answers at %2.</source>
        <translation>%1 不在这台电脑上运行：它在 %2 作答。</translation>
    </message>
    <message>
        <source>Connections to other computers are blocked in the settings, on the page “Privacy”.</source>
        <translation>设置的“隐私”页已阻止连接其他电脑。</translation>
    </message>
    <message>
        <source>You have allowed that; it can be taken back in the settings, on the page “Privacy”.</source>
        <translation>您已允许；可以在设置的“隐私”页收回许可。</translation>
    </message>
    <message>
        <source>What you ask, and passages of your documents, would be sent there. It is not used before you allow it.</source>
        <translation>您的问题和文档中的段落会发送到那里。未经您许可不会使用。</translation>
    </message>
</context>
<context>
    <name>RemovalDialog</name>
    <message>
        <source>Delete knowledge base</source>
        <translation>删除知识库</translation>
    </message>
    <message>
        <source>Remove from the knowledge base</source>
        <translation>从知识库中移除</translation>
    </message>
    <message>
        <source>Keep these quotes</source>
        <translation>保留这些引文</translation>
    </message>
    <message>
        <source>Remove the quotes from the conversations, too</source>
        <translation>同时从对话中移除这些引文</translation>
    </message>
    <message>
        <source>Remove the quotes from conversations and notes, too</source>
        <translation>同时从对话和笔记中删除引文</translation>
    </message>
    <message>
        <source>Keep the quotes and the test questions</source>
        <translation>保留引文和测试问题</translation>
    </message>
    <message>
        <source>Remove the quotes and the test questions, too</source>
        <translation>同时删除引文和测试问题</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Delete the knowledge base “%1”?</source>
        <translation>要删除知识库“%1”吗？</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>Remove %1 from “%2”?</source>
        <translation>要从“%2”中移除 %1 吗？</translation>
    </message>
    <message>
        <source>What was read of %1 (%2) is deleted from this computer for good. The files themselves stay where they are.</source>
        <translation>从 %1读入的内容（%2）会从这台电脑上彻底删除。文件本身会留在原处。</translation>
    </message>
    <message>
        <source>One conversation quotes from them.</source>
        <translation>有 1 个对话引用了其中的内容。</translation>
    </message>
    <message>
        <source>%1 conversations quote from them.</source>
        <translation>有 %1 个对话引用了其中的内容。</translation>
    </message>
    <message>
        <source>Notes that quote from them: %1.</source>
        <translation>引用了它们的笔记：%1 条。</translation>
    </message>
    <message>
        <source>Test questions that they answer: %1.</source>
        <translation>由它们回答的测试问题：%1 个。</translation>
    </message>
</context>
<context>
    <name>RunProgress</name>
    <message>
        <source>Progress of the run</source>
        <translation>测量进度</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
</context>
<context>
    <name>SavedNotice</name>
    <message>
        <source>Saved as a note.</source>
        <translation>已存为笔记。</translation>
    </message>
    <message>
        <source>Open the note</source>
        <translation>打开笔记</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ScopeBanner</name>
    <message>
        <source>”, “</source>
        <translation>”、“</translation>
    </message>
    <message>
        <source>This conversation asks “%1”. Tick “%2” below to ask it too.</source>
        <translation>本对话检索的是“%1”。若要同时检索“%2”，请在下方勾选它。</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
</context>
<context>
    <name>ScopeChip</name>
    <message>
        <source>Knowledge base</source>
        <translation>知识库</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source> (not there any more)</source>
        <translation>（已不存在）</translation>
    </message>
    <message>
        <source>not there any more</source>
        <translation>已不存在</translation>
    </message>
    <message>
        <source>in the knowledge base “%1”</source>
        <translation>位于知识库“%1”</translation>
    </message>
    <message>
        <source>It is not in the library any more. Take it away with the cross.</source>
        <translation>它已不在资料库中。点击叉号可将其移除。</translation>
    </message>
    <message>
        <source>Do not ask this: %1 “%2”</source>
        <translation>不再问它：%1“%2”</translation>
    </message>
</context>
<context>
    <name>ScopeRow</name>
    <message>
        <source>Each document is asked, a row each:</source>
        <translation>逐个询问每个文档，各占一行：</translation>
    </message>
    <message>
        <source>What is asked</source>
        <translation>提问范围</translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>还有 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Asked as well; a click takes it away</source>
        <translation>同样在提问范围内；点击即可移除</translation>
    </message>
    <message>
        <source>Take all away</source>
        <translation>全部移除</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 等另外 %2 份</translation>
    </message>
    <message>
        <source>%1 (each of: %2)</source>
        <translation>%1（逐份询问：%2）</translation>
    </message>
    <message>
        <source>Compare: %1</source>
        <translation>比较：%1</translation>
    </message>
    <message>
        <source>Summarise: %1</source>
        <translation>概括：%1</translation>
    </message>
</context>
<context>
    <name>SearchTestOptions</name>
    <message>
        <source>Reset</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Keep these as settings</source>
        <translation>保存为设置</translation>
    </message>
    <message>
        <source>Passages used</source>
        <translation>采用的段落数</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>过滤条件</translation>
    </message>
    <message>
        <source>ext:pdf after:2024</source>
        <translation>ext:pdf after:2024</translation>
    </message>
    <message>
        <source>path:reports/* ext:pdf,docx title:report after:2023-01 before:2024-07</source>
        <translation>path:报告/* ext:pdf,docx title:年报 after:2023-01 before:2024-07</translation>
    </message>
</context>
<context>
    <name>SearchTestPage</name>
    <message>
        <source>Search test</source>
        <translation>检索测试</translation>
    </message>
    <message>
        <source>Nothing was found.</source>
        <translation>没有找到任何内容。</translation>
    </message>
    <message numerus="yes">
        <source>%n passage(s) found</source>
        <translation>
            <numerusform>找到 %n 个段落</numerusform>
        </translation>
    </message>
    <message>
        <source>Search in “%1”</source>
        <translation>在“%1”中检索</translation>
    </message>
    <message>
        <source>Ask something, and see which passages are found, with every rank and score. Options are tried without being kept.</source>
        <translation>提一个问题，看看会找到哪些段落，以及每一步的名次和分数。选项只是试用，不会保存。</translation>
    </message>
    <message>
        <source>This knowledge base has no passages yet. Add files to it first.</source>
        <translation>该知识库还没有段落。请先添加文件。</translation>
    </message>
    <message>
        <source>The first %1 are used; these are not.</source>
        <translation>只采用前 %1 个；以下的未采用。</translation>
    </message>
    <message>
        <source>Score %1.</source>
        <translation>得分 %1。</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>过滤条件</translation>
    </message>
    <message>
        <source>By meaning</source>
        <translation>按语义</translation>
    </message>
    <message>
        <source>By words</source>
        <translation>按词语</translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>Reranking</source>
        <translation>重排</translation>
    </message>
    <message>
        <source>Age</source>
        <translation>文件日期</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>重复</translation>
    </message>
    <message>
        <source>Variety</source>
        <translation>多样性</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>采用</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示词</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>passed</source>
        <translation>通过</translation>
    </message>
    <message>
        <source>not found here</source>
        <translation>此处未找到</translation>
    </message>
    <message>
        <source>fell out here</source>
        <translation>在此被淘汰</translation>
    </message>
    <message>
        <source>does not apply</source>
        <translation>不适用</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>未到达</translation>
    </message>
    <message>
        <source>question %1</source>
        <translation>问题 %1</translation>
    </message>
    <message>
        <source>meaning %1</source>
        <translation>语义 %1</translation>
    </message>
    <message>
        <source>words %1</source>
        <translation>词语 %1</translation>
    </message>
    <message>
        <source>texts %1</source>
        <translation>取文本 %1</translation>
    </message>
    <message>
        <source>reranking %1</source>
        <translation>重排 %1</translation>
    </message>
    <message>
        <source>sorting out %1</source>
        <translation>整理 %1</translation>
    </message>
    <message>
        <source>weighing it %1</source>
        <translation>判断依据 %1</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 by meaning, %2 by words, %3 fused; %4 reranked. Evidence %5.</source>
        <translation>按语义 %1 个，按词语 %2 个，融合后 %3 个；其中 %4 个经过重排。证据 %5。</translation>
    </message>
    <message>
        <source>Meaning: every vector was compared.</source>
        <translation>语义检索：比较了每一个向量。</translation>
    </message>
    <message>
        <source>Meaning: Chroma named the candidates, exact cosines ordered them.</source>
        <translation>语义检索：候选由 Chroma 给出，并按精确相似度排序。</translation>
    </message>
    <message>
        <source>No longer found: %1.</source>
        <translation>不再出现：%1。</translation>
    </message>
    <message>
        <source>No longer found: %1, and %2 more.</source>
        <translation>不再出现：%1，另有 %2 个。</translation>
    </message>
    <message>
        <source>score %1</source>
        <translation>得分 %1</translation>
    </message>
    <message>
        <source>meaning #%1 (%2)</source>
        <translation>语义第 %1 名（%2）</translation>
    </message>
    <message>
        <source>words #%1 (%2)</source>
        <translation>词语第 %1 名（%2）</translation>
    </message>
    <message>
        <source>fused #%1</source>
        <translation>融合第 %1 名</translation>
    </message>
    <message>
        <source>reranked %1</source>
        <translation>重排 %1</translation>
    </message>
    <message>
        <source>age ×%1</source>
        <translation>新旧 ×%1</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新</translation>
    </message>
    <message>
        <source>new against the run before</source>
        <translation>上一次没有</translation>
    </message>
    <message>
        <source>up by %1</source>
        <translation>上升 %1 位</translation>
    </message>
    <message>
        <source>down by %1</source>
        <translation>下降 %1 位</translation>
    </message>
</context>
<context>
    <name>SearchTestResultList</name>
    <message>
        <source>Passages found</source>
        <translation>找到的段落</translation>
    </message>
    <message>
        <source>Open in its document</source>
        <translation>在文档中打开</translation>
    </message>
    <message>
        <source>Why does it come here?</source>
        <translation>它为什么排在这里？</translation>
    </message>
</context>
<context>
    <name>SearchTestView</name>
    <message>
        <source>Search</source>
        <translation>检索</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>选项</translation>
    </message>
    <message numerus="yes">
        <source>Options: %n changed</source>
        <translation>
            <numerusform>选项：已改 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>Question to search for</source>
        <translation>要检索的问题</translation>
    </message>
    <message>
        <source>Try other settings of retrieval</source>
        <translation>试用其他检索设置</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>Why was this not found?</source>
        <translation>为什么没找到它？</translation>
    </message>
</context>
<context>
    <name>SelectionMenu</name>
    <message>
        <source>Ask about this</source>
        <translation>就此提问</translation>
    </message>
    <message>
        <source>Save as note</source>
        <translation>存为笔记</translation>
    </message>
    <message>
        <source>Why was this not found?</source>
        <translation>为什么没找到它？</translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Ask Ollama for its version and models; no text is sent</source>
        <translation>查询 Ollama 的版本和模型，不发送任何文本</translation>
    </message>
    <message>
        <source>Without a language model, answers are quotes from your documents.</source>
        <translation>没有语言模型时，回答由文档引文组成。</translation>
    </message>
    <message>
        <source>Looking for Ollama…</source>
        <translation>正在查找 Ollama…</translation>
    </message>
    <message numerus="yes">
        <source>%1 answers at %2 within %3 ms, with %n model(s).</source>
        <translation>
            <numerusform>%1 在 %2 上响应，用时 %3 毫秒，共有 %n 个模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>It is another computer.</source>
        <translation>这是另一台电脑。</translation>
    </message>
    <message>
        <source>No model is loaded in it: load one there, then press Test.</source>
        <translation>其中没有加载任何模型：请在那里加载一个，然后点击“测试”。</translation>
    </message>
    <message>
        <source>It has no model yet: fetch one below.</source>
        <translation>还没有模型：请在下方下载。</translation>
    </message>
    <message>
        <source>None of its models can answer: fetch one below, or allow one in a cloud.</source>
        <translation>它的模型都不能回答：请在下方获取一个，或允许使用云端模型。</translation>
    </message>
    <message>
        <source>%1 is not among its models: %2 answers.</source>
        <translation>它的模型中没有 %1：由 %2 回答。</translation>
    </message>
    <message>
        <source>%1 was made for %2 tokens of context; it gets no more.</source>
        <translation>%1 的上下文上限是 %2 个 token，不会使用更多。</translation>
    </message>
    <message>
        <source>%1 takes about %2 of memory; a context of %3 tokens takes about %4 more.</source>
        <translation>%1 约占内存 %2；%3 个 token 的上下文约再占 %4。</translation>
    </message>
    <message>
        <source>Models of Ollama</source>
        <translation>Ollama 的模型</translation>
    </message>
</context>
<context>
    <name>ServerPage</name>
    <message>
        <source>Start Ollama</source>
        <translation>启动 Ollama</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Open Ollama&apos;s page…</source>
        <translation>打开 Ollama 网页…</translation>
    </message>
    <message>
        <source>Use Ollama&apos;s usual address</source>
        <translation>使用 Ollama 的默认地址</translation>
    </message>
    <message>
        <source>The system has it as a service too, which keeps models of its own. This command starts that one instead:</source>
        <translation>系统中也有 Ollama 服务，它有自己的模型。以下命令改为启动该服务：</translation>
    </message>
    <message>
        <source>Or paste this command into a terminal:</source>
        <translation>或者把以下命令粘贴到终端中：</translation>
    </message>
    <message>
        <source>Ollama at %1, another computer, does not answer.</source>
        <translation>另一台电脑上的 Ollama（%1）没有响应。</translation>
    </message>
    <message>
        <source>No language model can be asked at %1.</source>
        <translation>在 %1 没有可供提问的语言模型。</translation>
    </message>
    <message>
        <source>Ollama is starting…</source>
        <translation>正在启动 Ollama…</translation>
    </message>
    <message>
        <source>Looking for Ollama…</source>
        <translation>正在寻找 Ollama…</translation>
    </message>
    <message>
        <source>Ollama is not installed on this computer.</source>
        <translation>这台电脑没有安装 Ollama。</translation>
    </message>
    <message>
        <source>Ollama is installed on this computer.</source>
        <translation>这台电脑已安装 Ollama。</translation>
    </message>
    <message>
        <source>Start it there. As soon as it answers, this goes on by itself.</source>
        <translation>请在那台电脑上启动它。一有响应，这里会自动继续。</translation>
    </message>
    <message>
        <source>Ollama is a free program that runs language models on this computer. It is not part of Desktop RAG. As soon as it is installed and answers, this goes on by itself.</source>
        <translation>Ollama 是一款免费程序，在这台电脑上运行语言模型。它不属于 Desktop RAG。安装完成并有响应后，这里会自动继续。</translation>
    </message>
    <message>
        <source>It was found as %1. Started from here it goes on when Desktop RAG ends.</source>
        <translation>找到的程序是 %1。从这里启动后，Desktop RAG 退出时它仍会运行。</translation>
    </message>
    <message>
        <source>This is the address of another program than Ollama. As soon as its server answers, this goes on by itself; or go back to Ollama.</source>
        <translation>这是 Ollama 以外的另一个程序的地址。该程序的服务器一有响应，这里就会自动继续；您也可以改回使用 Ollama。</translation>
    </message>
</context>
<context>
    <name>ServingDialog</name>
    <message>
        <source>Other programs</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>No longer allow</source>
        <translation>不再允许</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>It is on the clipboard.</source>
        <translation>已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Let other programs ask “%1”?</source>
        <translation>允许其他程序查询“%1”吗？</translation>
    </message>
    <message>
        <source>Other programs may ask “%1”.</source>
        <translation>其他程序可以查询“%1”。</translation>
    </message>
    <message>
        <source>A program on this computer that speaks the Model Context Protocol can then search this knowledge base, ask it, and read the text of its documents. It can change nothing, and your other knowledge bases stay closed to it. What it reads it may send elsewhere: a program with a language model in the cloud does.</source>
        <translation>之后，本机上支持模型上下文协议（MCP）的程序可以搜索此知识库、向它提问并读取其中文档的文本。它不能更改任何内容，您的其他知识库对它仍然关闭。它可能把读到的内容发送到别处：使用云端语言模型的程序就会这样做。</translation>
    </message>
    <message>
        <source>What such a program is configured with:</source>
        <translation>此类程序所需的配置：</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>配置</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Changed: not the default</source>
        <translation>已修改：不是默认值</translation>
    </message>
    <message>
        <source>Takes effect when the program starts again.</source>
        <translation>重新启动程序后生效。</translation>
    </message>
    <message>
        <source>Default: %1.</source>
        <translation>默认值：%1。</translation>
    </message>
    <message>
        <source>Back to the default: %1</source>
        <translation>恢复默认值：%1</translation>
    </message>
    <message>
        <source>Restart now</source>
        <translation>立即重启</translation>
    </message>
    <message>
        <source>Open the window again where it is now, with what is typed. Files go on being read then; an answer on its way is kept as far as it has come.</source>
        <translation>在原来的位置重新打开窗口，已输入的内容会保留。文件随后继续读取；正在生成的回答保留到目前为止的部分。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>留空</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>Candidates</source>
        <translation>候选段落</translation>
    </message>
    <message>
        <source>How many passages each first-stage search gives.</source>
        <translation>第一阶段每路检索返回的段落数。</translation>
    </message>
    <message>
        <source>Fusion</source>
        <translation>融合方式</translation>
    </message>
    <message>
        <source>How dense and BM25 results are fused: by what their scores count, where that was measured for the embedding model, else by reciprocal ranks; always by these; by weighted scores.</source>
        <translation>如何合并向量检索与 BM25 的结果：若已测得该嵌入模型的分数含义，则按分数合并，否则按倒数排名；也可始终按倒数排名，或按加权分数。</translation>
    </message>
    <message>
        <source>RRF constant</source>
        <translation>RRF 常数</translation>
    </message>
    <message>
        <source>Larger values flatten the ranks&apos; weights.</source>
        <translation>数值越大，各名次的权重越接近。</translation>
    </message>
    <message>
        <source>Dense weight</source>
        <translation>向量检索权重</translation>
    </message>
    <message>
        <source>Share of the dense score: 0 is BM25 alone, 1 dense alone.</source>
        <translation>向量得分所占的比例：0 只用 BM25，1 只用向量检索。</translation>
    </message>
    <message>
        <source>Reranker</source>
        <translation>重排模型</translation>
    </message>
    <message>
        <source>What reads the best candidates a second time.</source>
        <translation>对最佳候选段落再次打分的模型。</translation>
    </message>
    <message>
        <source>Compare every chunk up to</source>
        <translation>逐一比较的上限</translation>
    </message>
    <message>
        <source>A knowledge base of up to so many chunks is searched by comparing each of them, which misses none, for 1.5 KB of memory each. Of larger ones Chroma names the candidates: faster there, and it may miss one.</source>
        <translation>文本块数不超过此值的知识库，检索时逐一比较每个文本块，一个不漏，每块占用 1.5 KB 内存；更大的知识库由 Chroma 提出候选：更快，但偶有遗漏。</translation>
    </message>
    <message>
        <source>Reranked passages</source>
        <translation>重排段落数</translation>
    </message>
    <message>
        <source>How many fused candidates the reranker reads.</source>
        <translation>交给重排模型的融合候选段落数。</translation>
    </message>
    <message>
        <source>Time for reranking</source>
        <translation>重排用时</translation>
    </message>
    <message>
        <source>The built-in reader reads the best candidates first, ten of them at least, until this time is over on this computer; 0: all of them.</source>
        <translation>内置阅读模型从最好的候选开始读，至少读 10 个，直到在这台电脑上用完这段时间；0：全部读完。</translation>
    </message>
    <message>
        <source>Reranker weight</source>
        <translation>重排权重</translation>
    </message>
    <message>
        <source>Share of the reranker against the fused rank in the final order. The built-in reader has learnt its own.</source>
        <translation>最终排序中，重排得分相对于融合名次的比例。内置阅读模型有自己学到的比例。</translation>
    </message>
    <message>
        <source>Also score for the question</source>
        <translation>同时按原问题打分</translation>
    </message>
    <message>
        <source>In later rounds a passage&apos;s score is the better of the query&apos;s and the question&apos;s.</source>
        <translation>后续各轮中，段落得分取检索词与原问题两者中的较高者。</translation>
    </message>
    <message>
        <source>Diversity (MMR λ)</source>
        <translation>多样性（MMR λ）</translation>
    </message>
    <message>
        <source>1 is relevance alone; 0.5 is the usual mix.</source>
        <translation>1 只看相关性；0.5 是常用的折中值。</translation>
    </message>
    <message>
        <source>Half-life of documents</source>
        <translation>文档半衰期</translation>
    </message>
    <message>
        <source>Puts newer files a little ahead: after so many days a passage&apos;s score counts three quarters, and never less than half. 0: age does not count.</source>
        <translation>让较新的文件略微靠前：经过这么多天后，段落的得分按四分之三计算，最低不少于一半。0：不考虑文件的新旧。</translation>
    </message>
    <message>
        <source>Near-duplicate</source>
        <translation>近似重复</translation>
    </message>
    <message>
        <source>Passages whose word shingles overlap by this much count as one.</source>
        <translation>词片重合度达到此值的段落视为同一段落。</translation>
    </message>
    <message>
        <source>Whole passage around a match</source>
        <translation>采用完整段落</translation>
    </message>
    <message>
        <source>Use the whole passage around the small piece that matched.</source>
        <translation>采用匹配处所在的完整段落，而不只是匹配的小块。</translation>
    </message>
    <message>
        <source>Found nothing below</source>
        <translation>判为未找到的分数</translation>
    </message>
    <message>
        <source>Evidence under this score counts as nothing found; -1 takes the calibrated value.</source>
        <translation>依据低于此分数即视为未找到；-1 表示使用校准值。</translation>
    </message>
    <message>
        <source>Chunk size</source>
        <translation>文本块大小</translation>
    </message>
    <message>
        <source>Tokens of the small pieces that are matched.</source>
        <translation>用于匹配的小块包含的 token 数。</translation>
    </message>
    <message>
        <source>Passage size</source>
        <translation>段落大小</translation>
    </message>
    <message>
        <source>Tokens of the piece around it that is read.</source>
        <translation>实际阅读的外围段落包含的 token 数。</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>Tokens that neighbouring chunks share.</source>
        <translation>相邻文本块共有的 token 数。</translation>
    </message>
    <message>
        <source>Parser processes</source>
        <translation>解析进程数</translation>
    </message>
    <message>
        <source>Files read at a time.</source>
        <translation>同时读取的文件数。</translation>
    </message>
    <message>
        <source>Time limit</source>
        <translation>时间上限</translation>
    </message>
    <message>
        <source>Seconds that one file may take to be read.</source>
        <translation>读取一个文件最多可用的秒数。</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>内存上限</translation>
    </message>
    <message>
        <source>MiB that one parser process may use.</source>
        <translation>一个解析进程最多可用的内存（MiB）。</translation>
    </message>
    <message>
        <source>Largest file</source>
        <translation>最大文件</translation>
    </message>
    <message>
        <source>Files above this many MiB are not read.</source>
        <translation>超过此大小（MiB）的文件不读取。</translation>
    </message>
    <message>
        <source>Longest text</source>
        <translation>最长文本</translation>
    </message>
    <message>
        <source>Files with more characters of text are not read; a long novel has one million.</source>
        <translation>文本字符数超过此值的文件不会读取；一部长篇小说约有一百万字符。</translation>
    </message>
    <message>
        <source>Wait for a drive</source>
        <translation>等待驱动器</translation>
    </message>
    <message>
        <source>Seconds that a drive may take to answer; then its files are passed over.</source>
        <translation>驱动器可用于响应的秒数；超过后会跳过其中的文件。</translation>
    </message>
    <message>
        <source>Read scans and pictures</source>
        <translation>读取图片中的文字</translation>
    </message>
    <message>
        <source>Recognise the text of scanned pages and pictures, after all other files.</source>
        <translation>在所有其他文件之后，识别图片和没有文字的页面中的文字。</translation>
    </message>
    <message>
        <source>Suggest questions</source>
        <translation>推荐问题</translation>
    </message>
    <message>
        <source>When everything is read, look for questions that the documents answer, and offer them.</source>
        <translation>全部读取完毕后，找出文档能回答的问题，供您点选。</translation>
    </message>
    <message>
        <source>Follow links to files elsewhere</source>
        <translation>跟进指向别处文件的链接</translation>
    </message>
    <message>
        <source>Read files outside a followed folder that links in it lead to.</source>
        <translation>读取所跟踪文件夹中的链接指向的、位于该文件夹之外的文件。</translation>
    </message>
    <message>
        <source>Ignored names</source>
        <translation>忽略的名称</translation>
    </message>
    <message>
        <source>Globs, separated by commas, on top of the built-in ones.</source>
        <translation>通配符，以逗号分隔，在内置规则之外追加。</translation>
    </message>
    <message>
        <source>Rest on battery</source>
        <translation>使用电池时暂停</translation>
    </message>
    <message>
        <source>Read no new files while the computer runs on its battery.</source>
        <translation>电脑使用电池时不读取新文件。</translation>
    </message>
    <message>
        <source>Look for changes every</source>
        <translation>检查变化的间隔</translation>
    </message>
    <message>
        <source>Seconds between looks at folders that send no events; 0 lets the program choose.</source>
        <translation>对不发送变更事件的文件夹，两次检查之间的秒数；0 表示由程序决定。</translation>
    </message>
    <message>
        <source>Embedding model</source>
        <translation>嵌入模型</translation>
    </message>
    <message>
        <source>The model that finds passages by their meaning.</source>
        <translation>按含义查找段落的模型。</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程数</translation>
    </message>
    <message>
        <source>CPU threads of the built-in models; 0 takes all cores.</source>
        <translation>内置模型使用的 CPU 线程数；0 表示使用全部核心。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Where Ollama, LM Studio, llama.cpp or vLLM listens; empty takes OLLAMA_HOST or 127.0.0.1:11434.</source>
        <translation>Ollama、LM Studio、llama.cpp 或 vLLM 监听的地址；留空则使用 OLLAMA_HOST 或 127.0.0.1:11434。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The model that answers; empty takes the first one there is.</source>
        <translation>用于回答的模型；留空则使用第一个可用的模型。</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>上下文长度</translation>
    </message>
    <message>
        <source>Tokens of context, sent with every call.</source>
        <translation>上下文的 token 数，每次调用时一并发送。</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>回答长度上限</translation>
    </message>
    <message>
        <source>Tokens an answer may have.</source>
        <translation>一个回答最多包含的 token 数。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0 answers the same each time.</source>
        <translation>0 表示每次回答都相同。</translation>
    </message>
    <message>
        <source>Keep loaded</source>
        <translation>保持加载</translation>
    </message>
    <message>
        <source>How long Ollama keeps the model in memory after an answer: 30s, 5m, 2h; -1 for good.</source>
        <translation>回答之后 Ollama 将模型保留在内存中的时间：30s、5m、2h；-1 表示一直保留。</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Let a thinking model think before its answer.</source>
        <translation>让支持思考的模型先思考再回答。</translation>
    </message>
    <message>
        <source>Way to answer</source>
        <translation>回答方式</translation>
    </message>
    <message>
        <source>A preset, or a strategy: how a question is researched.</source>
        <translation>预设或策略：问题如何检索。</translation>
    </message>
    <message>
        <source>Options of ways</source>
        <translation>回答方式的选项</translation>
    </message>
    <message>
        <source>What is changed of ways to answer, as it is set beside the way under a question.</source>
        <translation>对各种回答方式所作的更改，在问题下方的回答方式旁设置。</translation>
    </message>
    <message>
        <source>Only from my documents</source>
        <translation>仅依据我的文档</translation>
    </message>
    <message>
        <source>Say so when they do not hold the answer.</source>
        <translation>文档中没有答案时如实说明。</translation>
    </message>
    <message>
        <source>Condense follow-ups</source>
        <translation>改写追问</translation>
    </message>
    <message>
        <source>Make a follow-up question stand alone before searching.</source>
        <translation>检索前把追问改写成独立完整的问题。</translation>
    </message>
    <message>
        <source>Answer repeated questions at once</source>
        <translation>重复的问题立即回答</translation>
    </message>
    <message>
        <source>Give the earlier answer of a conversation where the same question is asked in the same way and no document has changed since. It says so, and can be asked anew.</source>
        <translation>以同样的方式再次提出同一问题、且此后文档没有变化时，直接给出对话中先前的回答。回答下方会说明这一点，也可以重新提问。</translation>
    </message>
    <message>
        <source>Tell of kept answers</source>
        <translation>提示保留的回答</translation>
    </message>
    <message>
        <source>Below an answer, show those that you have kept to questions near this one. They are never a source.</source>
        <translation>在回答下方显示您为相近问题保留的回答。它们从不作为来源。</translation>
    </message>
    <message>
        <source>Name another knowledge base</source>
        <translation>指出另一个知识库</translation>
    </message>
    <message>
        <source>Where one does not hold the answer, look whether another clearly does, and say which. Nothing is answered from it until you ask it.</source>
        <translation>当一个知识库里没有答案时，看看另一个是否明确有，并说出是哪一个。在您向它提问之前，不会用它来回答。</translation>
    </message>
    <message>
        <source>Order of passages</source>
        <translation>段落顺序</translation>
    </message>
    <message>
        <source>Where the best passage stands in the prompt.</source>
        <translation>最佳段落在提示词中的位置。</translation>
    </message>
    <message>
        <source>Examples of cited answers</source>
        <translation>带引用的回答示例</translation>
    </message>
    <message>
        <source>How many made-up questions with cited answers the model sees before the passages; the second is one that is not answered. Each adds about 110 tokens to what it reads.</source>
        <translation>模型在段落之前看到多少个自编的问题和带引用的回答；第二个是没有找到答案的例子。每个约增加 110 个 token。</translation>
    </message>
    <message>
        <source>Shorten passages</source>
        <translation>缩短段落</translation>
    </message>
    <message>
        <source>What the model is told of each passage: all of it, its best sentences, its most useful words, or a summary, which takes another call. The sources that you see stay whole.</source>
        <translation>每个段落告诉模型多少：全文、最相关的句子、最有用的词语，或一段概括（需要多调用一次模型）。您看到的来源始终完整。</translation>
    </message>
    <message>
        <source>Share that is kept</source>
        <translation>保留比例</translation>
    </message>
    <message>
        <source>How much of the passages stays where they are shortened to their best sentences or words.</source>
        <translation>只保留最相关的句子或词语时，保留段落内容的多少。</translation>
    </message>
    <message>
        <source>Connect to this computer only</source>
        <translation>只允许连接本机</translation>
    </message>
    <message>
        <source>Refuse every connection to another computer, whatever was allowed before.</source>
        <translation>拒绝与其他电脑的一切连接，无论之前允许过什么。</translation>
    </message>
    <message>
        <source>Allow another computer</source>
        <translation>允许其他电脑</translation>
    </message>
    <message>
        <source>Let Ollama or Chroma be on a host that is not this one, for this run.</source>
        <translation>本次运行允许 Ollama 或 Chroma 位于其他主机。</translation>
    </message>
    <message>
        <source>Shared Chroma server</source>
        <translation>共享 Chroma 服务器</translation>
    </message>
    <message>
        <source>Where knowledge bases are shared with others: an http:// address.</source>
        <translation>与他人共享知识库的地方：一个 http:// 地址。</translation>
    </message>
    <message>
        <source>Tenant there</source>
        <translation>那里的 tenant</translation>
    </message>
    <message>
        <source>On the shared Chroma server: whose databases are used.</source>
        <translation>在共享的 Chroma 服务器上使用哪一个 tenant 的数据库。</translation>
    </message>
    <message>
        <source>Database there</source>
        <translation>那里的数据库</translation>
    </message>
    <message>
        <source>On the shared Chroma server: where the knowledge bases lie.</source>
        <translation>知识库在共享的 Chroma 服务器上的位置。</translation>
    </message>
    <message>
        <source>Token for it</source>
        <translation>它的 token</translation>
    </message>
    <message>
        <source>A file with the token by which the shared Chroma server knows this program.</source>
        <translation>一个文件，含有共享的 Chroma 服务器认出本程序所用的 token。</translation>
    </message>
    <message>
        <source>Certificate for it</source>
        <translation>给它的身份文件</translation>
    </message>
    <message>
        <source>A PEM file with this program&apos;s certificate, for mutual TLS.</source>
        <translation>含有本程序身份（certificate）的 PEM 文件，用于 mutual TLS。</translation>
    </message>
    <message>
        <source>Key of that certificate</source>
        <translation>该身份文件的 key</translation>
    </message>
    <message>
        <source>A PEM file; empty where the certificate&apos;s file holds the key as well.</source>
        <translation>PEM 文件；身份文件里已有 key 时留空。</translation>
    </message>
    <message>
        <source>Its certificate&apos;s authority</source>
        <translation>其身份的签发机构</translation>
    </message>
    <message>
        <source>A PEM file of who signed it, where this system does not know.</source>
        <translation>签发者的 PEM 文件，系统不认识签发者时需要。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>The language of the window.</source>
        <translation>窗口使用的语言。</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>The colours of the window.</source>
        <translation>窗口的配色。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Percent of the usual size of text and controls.</source>
        <translation>文字和控件相对于标准大小的百分比。</translation>
    </message>
    <message>
        <source>Expert tools</source>
        <translation>专家工具</translation>
    </message>
    <message>
        <source>Show scores, steps, tokens and model calls, every way to answer by its name, the workbench, and the settings of retrieval and chunking.</source>
        <translation>显示得分、步骤、token 数和模型调用，按名称列出所有回答方式，并显示工作台以及检索和分块的设置。</translation>
    </message>
    <message>
        <source>Keep running when closed</source>
        <translation>关闭窗口后继续运行</translation>
    </message>
    <message>
        <source>Closing the window leaves the program in the notification area, where the desktop has one, and reading goes on. “Quit” ends it.</source>
        <translation>关闭窗口后，程序留在桌面的通知区域（如果有），文件继续读取。用“退出”来结束程序。</translation>
    </message>
    <message>
        <source>Tell when files are read</source>
        <translation>文件读取完成时通知</translation>
    </message>
    <message>
        <source>A notification when reading ends while you use another program. It holds numbers, no names and nothing of your documents.</source>
        <translation>您在使用其他程序时，读取结束会发出通知。通知里只有数量，没有文件名，也没有文档的内容。</translation>
    </message>
    <message>
        <source>Tell when an answer is ready</source>
        <translation>回答就绪时通知</translation>
    </message>
    <message>
        <source>A notification when an answer is ready while you use another program. It holds your question, which a locked screen may show, too; nothing of the answer or the documents.</source>
        <translation>您在使用其他程序时，回答写好后会发出通知。通知里有您的问题，锁屏上也可能显示；没有回答，也没有文档的内容。</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>No setting has these words.</source>
        <translation>没有包含这些文字的设置项。</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>清除搜索</translation>
    </message>
    <message>
        <source>Changes are saved immediately.</source>
        <translation>更改会立即保存。</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Reset this page</source>
        <translation>重置本页</translation>
    </message>
</context>
<context>
    <name>SettingsWords</name>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>How the window looks, and when it calls you.</source>
        <translation>窗口的外观，以及何时通知您。</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>How a question is researched and answered.</source>
        <translation>如何为问题查找依据并作答。</translation>
    </message>
    <message>
        <source>Retrieval</source>
        <translation>检索</translation>
    </message>
    <message>
        <source>How passages are found and ranked.</source>
        <translation>如何查找段落并排序。</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The models that run inside this program.</source>
        <translation>在本程序内部运行的模型。</translation>
    </message>
    <message>
        <source>The language model that writes the answers.</source>
        <translation>撰写回答的语言模型。</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>How files are read, and what reading may take.</source>
        <translation>如何读取文件，以及读取可占用的资源。</translation>
    </message>
    <message>
        <source>Chunking</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>How documents are cut into passages.</source>
        <translation>如何把文档切分成段落。</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>What this program may contact.</source>
        <translation>本程序可以连接的对象。</translation>
    </message>
    <message>
        <source> seconds</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> token</translation>
    </message>
    <message>
        <source> days</source>
        <translation> 天</translation>
    </message>
    <message>
        <source>All cores</source>
        <translation>全部核心</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Does not count</source>
        <translation>不计入</translation>
    </message>
    <message>
        <source>Calibrated</source>
        <translation>校准值</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>None: nothing is shared</source>
        <translation>无：不共享任何内容</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>The built-in reader</source>
        <translation>内置阅读模型</translation>
    </message>
    <message>
        <source>Late interaction</source>
        <translation>后期交互</translation>
    </message>
    <message>
        <source>Reciprocal ranks</source>
        <translation>倒数排名</translation>
    </message>
    <message>
        <source>Weighted scores</source>
        <translation>加权得分</translation>
    </message>
    <message>
        <source>Best first</source>
        <translation>最佳在前</translation>
    </message>
    <message>
        <source>Best last</source>
        <translation>最佳在后</translation>
    </message>
    <message>
        <source>Best at both ends</source>
        <translation>最佳在两端</translation>
    </message>
    <message>
        <source>Not at all</source>
        <translation>不缩短</translation>
    </message>
    <message>
        <source>Best sentences</source>
        <translation>最相关的句子</translation>
    </message>
    <message>
        <source>Most useful words</source>
        <translation>最有用的词语</translation>
    </message>
    <message>
        <source>A summary</source>
        <translation>概括</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>The first there is</source>
        <translation>第一个可用的</translation>
    </message>
</context>
<context>
    <name>SharedSourcesModel</name>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>SharedSourcesTable</name>
    <message>
        <source>Sources of the answers</source>
        <translation>各回答的来源</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Everywhere</source>
        <translation>通用</translation>
    </message>
    <message>
        <source>Asking</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>阅读文档</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>主页</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>资料库</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>笔记</translation>
    </message>
    <message>
        <source>Workbench</source>
        <translation>工作台</translation>
    </message>
    <message>
        <source>Go to a document, a conversation or a command</source>
        <translation>转到文档、对话或命令</translation>
    </message>
    <message>
        <source>Show or hide the list at the left</source>
        <translation>显示或隐藏左侧的列表</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Go to the next or the previous control</source>
        <translation>转到下一个或上一个控件</translation>
    </message>
    <message>
        <source>Open the context menu</source>
        <translation>打开右键菜单</translation>
    </message>
    <message>
        <source>This list</source>
        <translation>显示本列表</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Go to the question field</source>
        <translation>转到提问框</translation>
    </message>
    <message>
        <source>Send the question</source>
        <translation>发送问题</translation>
    </message>
    <message>
        <source>New line in the question</source>
        <translation>在问题中换行</translation>
    </message>
    <message>
        <source>Stop the answer, or close the document</source>
        <translation>停止回答，或关闭文档</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Find in the conversation or the document</source>
        <translation>在对话或文档中查找</translation>
    </message>
    <message>
        <source>Search all conversations</source>
        <translation>搜索所有对话</translation>
    </message>
    <message>
        <source>Rename or delete a conversation; remove a file</source>
        <translation>重命名或删除对话，移除文件</translation>
    </message>
    <message>
        <source>Bring back a conversation just deleted</source>
        <translation>恢复刚删除的对话</translation>
    </message>
    <message>
        <source>Edit the last question, from the empty field</source>
        <translation>提问框为空时，修改上一个问题</translation>
    </message>
    <message>
        <source>Add files</source>
        <translation>添加文件</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Show or hide the details of the chosen file</source>
        <translation>显示或隐藏所选文件的详细信息</translation>
    </message>
    <message>
        <source>Read chosen files again, or first</source>
        <translation>重新读取所选文件，或优先读取</translation>
    </message>
    <message>
        <source>Scroll a document by a screen</source>
        <translation>按屏滚动文档</translation>
    </message>
    <message>
        <source>Zoom a document&apos;s pages or text; fit the width</source>
        <translation>缩放文档的页面或文字；适合宽度</translation>
    </message>
    <message>
        <source>Show a document in full screen, or no longer</source>
        <translation>全屏显示文档，或退出全屏</translation>
    </message>
    <message>
        <source>Previous or next mark in a document</source>
        <translation>文档中上一处或下一处标记</translation>
    </message>
    <message>
        <source>Previous or next place found in a document</source>
        <translation>文档中上一处或下一处查找结果</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
</context>
<context>
    <name>SourceDelegate</name>
    <message>
        <source>score %1</source>
        <translation>得分 %1</translation>
    </message>
    <message>
        <source>reranked %1</source>
        <translation>重排 %1</translation>
    </message>
    <message>
        <source>meaning #%1</source>
        <translation>语义第 %1 名</translation>
    </message>
    <message>
        <source>words #%1</source>
        <translation>词语第 %1 名</translation>
    </message>
    <message>
        <source>age ×%1</source>
        <translation>新旧 ×%1</translation>
    </message>
</context>
<context>
    <name>SourceListModel</name>
    <message>
        <source>Read, none cited (%1)</source>
        <translation>已读取，均未引用（%1）</translation>
    </message>
    <message>
        <source>Also retrieved (%1)</source>
        <translation>其他检索结果（%1）</translation>
    </message>
    <message>
        <source>Source removed</source>
        <translation>来源已移除</translation>
    </message>
</context>
<context>
    <name>SourcesPane</name>
    <message>
        <source>Hide the sources</source>
        <translation>隐藏来源</translation>
    </message>
    <message>
        <source>Sources of the answer</source>
        <translation>回答的来源</translation>
    </message>
    <message>
        <source>Open in its document</source>
        <translation>在文档中打开</translation>
    </message>
    <message>
        <source>Show among the passages of its document</source>
        <translation>在文档段落列表中显示</translation>
    </message>
    <message>
        <source>Copy the quote with its source</source>
        <translation>复制引文及来源</translation>
    </message>
    <message>
        <source>Save as note</source>
        <translation>存为笔记</translation>
    </message>
    <message>
        <source>Why was this found?</source>
        <translation>为什么找到了它？</translation>
    </message>
    <message>
        <source>Why was this not used?</source>
        <translation>为什么没用到它？</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
</context>
<context>
    <name>Spoken</name>
    <message>
        <source> (process {0})</source>
        <translation>（进程 {0}）</translation>
    </message>
    <message>
        <source> Paper: {0}.</source>
        <translation> 论文：{0}。</translation>
    </message>
    <message>
        <source> … and {0} more</source>
        <translation> ……以及另外 {0} 个</translation>
    </message>
    <message>
        <source>, not the {0} asked for</source>
        <translation>，而不是所要求的 {0}</translation>
    </message>
    <message>
        <source>, the best passage {0}</source>
        <translation>，最好的段落 {0}</translation>
    </message>
    <message>
        <source>A chain is followed from the likeliest first passage, and from others at least so likely.</source>
        <translation>总是从最可能的首个段落出发追踪，其他首个段落的概率不低于此值时也追踪。</translation>
    </message>
    <message>
        <source>A filter that the model copied from the example is dropped.</source>
        <translation>模型直接取自示例的过滤条件已去掉。</translation>
    </message>
    <message>
        <source>A filter that the model wrote is dropped: {0}</source>
        <translation>模型写的一个过滤条件未被采用：{0}</translation>
    </message>
    <message>
        <source>A knowledge base needs a name of one line, of at most 100 characters.</source>
        <translation>知识库名称须为一行，且不超过 100 个字符。</translation>
    </message>
    <message>
        <source>A made-up passage searches along, the best sentences are read.</source>
        <translation>用一段虚构的文字一同检索，只读最佳的句子。</translation>
    </message>
    <message>
        <source>A part of the book is damaged or missing and was not read.</source>
        <translation>电子读本的一部分已损坏或缺失，未能读取。</translation>
    </message>
    <message>
        <source>A part of the book is protected and was not read.</source>
        <translation>电子读本的一部分受保护，未能读取。</translation>
    </message>
    <message>
        <source>A part of the file is damaged ({0}); its text was read.</source>
        <translation>文件的一部分已损坏（{0}）；其文本已读取。</translation>
    </message>
    <message>
        <source>A part of the file is damaged and was not read ({0}).</source>
        <translation>文件的一部分已损坏，未能读取（{0}）。</translation>
    </message>
    <message>
        <source>A part of the file is missing.</source>
        <translation>文件缺少一部分内容。</translation>
    </message>
    <message>
        <source>A query may not hold {0}.</source>
        <translation>查询中不能有 {0}。</translation>
    </message>
    <message>
        <source>A query may read tables only, not {0}.</source>
        <translation>查询只能读取表格，不能读取 {0}。</translation>
    </message>
    <message>
        <source>A question set is a folder with corpus.jsonl and train.jsonl, gzipped or not.</source>
        <translation>问题集是一个含有 corpus.jsonl 和 train.jsonl 的文件夹，可用 gzip 压缩。</translation>
    </message>
    <message>
        <source>A question set needs a name of one line without “=”, of at most 100 characters.</source>
        <translation>问题集的名称须为一行、不含“=”、最多 100 个字符。</translation>
    </message>
    <message>
        <source>A question to each document</source>
        <translation>逐份询问</translation>
    </message>
    <message>
        <source>A removed file&apos;s password is still kept.</source>
        <translation>已移除文件的密码仍被保存。</translation>
    </message>
    <message>
        <source>A search for this answer found it, as passage {0}, but it was not among the sources of the answer.</source>
        <translation>为该回答所做的检索找到了它（第 {0} 个段落），但它不在回答的来源之中。</translation>
    </message>
    <message>
        <source>A search for this answer found it, as passage {0}.</source>
        <translation>为该回答所做的检索找到了它，是第 {0} 个段落。</translation>
    </message>
    <message>
        <source>A setting of answers.</source>
        <translation>回答的一项设置。</translation>
    </message>
    <message>
        <source>A source of this answer was taken out, and its quotes with it.</source>
        <translation>此回答的一个来源已被移除，其引文也一并移除。</translation>
    </message>
    <message>
        <source>A table is found by what it is about, not by its rows alone.</source>
        <translation>按表格的内容来查找表格，而不只是按其中的行。</translation>
    </message>
    <message>
        <source>A word less probable than this makes it search; higher values search more.</source>
        <translation>有词的概率低于此值时就去检索；值越高，检索越多。</translation>
    </message>
    <message>
        <source>A worker reads whole folders, which other workers see as well: name one.</source>
        <translation>工作进程读取其他工作进程也能看到的整个文件夹：请指定一个文件夹。</translation>
    </message>
    <message>
        <source>A worker writes into a shared knowledge base; this one does not share “{0}”.</source>
        <translation>工作进程写入共享的知识库；这里没有共享“{0}”。</translation>
    </message>
    <message>
        <source>Adaptive routing (Adaptive-RAG)</source>
        <translation>自适应路由（Adaptive-RAG）</translation>
    </message>
    <message>
        <source>Add --transform {0}.</source>
        <translation>请加上 --transform {0}。</translation>
    </message>
    <message>
        <source>Add a file, or the folder that it is.</source>
        <translation>请添加文件，或直接添加这个文件夹。</translation>
    </message>
    <message>
        <source>Add a transcript of it as text.</source>
        <translation>请添加它的文字稿。</translation>
    </message>
    <message>
        <source>Add documents to one first.</source>
        <translation>请先向其中一个添加文档。</translation>
    </message>
    <message>
        <source>Add documents with headings or defined terms, or name a file of questions with --questions. A document&apos;s questions stay together.</source>
        <translation>请添加带有标题或术语定义的文档，或用 --questions 指定一个问题文件。同一文档的问题不会被拆开。</translation>
    </message>
    <message>
        <source>Add documents with running text, or name another knowledge base with --kb.</source>
        <translation>请添加含有连续文字的文档，或用 --kb 指定另一个知识库。</translation>
    </message>
    <message>
        <source>Add files that have some.</source>
        <translation>请添加有文字的文件。</translation>
    </message>
    <message>
        <source>Add it again.</source>
        <translation>请重新添加。</translation>
    </message>
    <message>
        <source>Add it to the knowledge base, or name another knowledge base with --kb.</source>
        <translation>请把它加入知识库，或用 --kb 指定另一个知识库。</translation>
    </message>
    <message>
        <source>Add it with `index` first.</source>
        <translation>请先用 `index` 添加它。</translation>
    </message>
    <message>
        <source>Add it, then select again.</source>
        <translation>请先添加，再重新选择。</translation>
    </message>
    <message>
        <source>Add larger or sharper copies of them.</source>
        <translation>请添加这些文件更大或更好的副本。</translation>
    </message>
    <message>
        <source>Add the documents again, or save questions about those that are there.</source>
        <translation>请重新添加文档，或就现有文档保存问题。</translation>
    </message>
    <message>
        <source>Add the file.</source>
        <translation>请添加该文件。</translation>
    </message>
    <message>
        <source>Add “{0}” to the question: then it is passage {1}.</source>
        <translation>在问题中加上“{0}”：它就会成为第 {1} 个段落。</translation>
    </message>
    <message>
        <source>After how many tokens it searches.</source>
        <translation>每写多少个 token 检索一次。</translation>
    </message>
    <message>
        <source>All below this make a search incorrect.</source>
        <translation>全部低于此值时，检索判为不正确。</translation>
    </message>
    <message>
        <source>All passages are compared: {0}. About {1} calls of the model follow.</source>
        <translation>比较全部段落：{0} 个。接着约调用模型 {1} 次。</translation>
    </message>
    <message>
        <source>All passages are read: {0}, in about {1} calls of the model.</source>
        <translation>阅读全部段落：{0} 个，约调用模型 {1} 次。</translation>
    </message>
    <message>
        <source>All passages are read: {0}.</source>
        <translation>阅读全部段落：{0} 个。</translation>
    </message>
    <message>
        <source>Allow them on the settings&apos; page “Privacy”, or copy the model&apos;s folder here.</source>
        <translation>请在设置的“隐私”页中允许连接，或将模型的文件夹复制到这台电脑。</translation>
    </message>
    <message>
        <source>An option of the strategy.</source>
        <translation>策略的选项。</translation>
    </message>
    <message>
        <source>Another Desktop RAG has taken over the data folder {0}.</source>
        <translation>另一个 Desktop RAG 已接管数据文件夹 {0}。</translation>
    </message>
    <message>
        <source>Another Desktop RAG{0} has {1} open and does not answer.</source>
        <translation>另一个 Desktop RAG{0}已打开 {1}，且没有响应。</translation>
    </message>
    <message>
        <source>Another version of Desktop RAG has this data folder open.</source>
        <translation>另一个版本的 Desktop RAG 已打开此数据文件夹。</translation>
    </message>
    <message>
        <source>Answered before, on {0}; the documents have not changed since.</source>
        <translation>此前已于 {0} 回答过；此后文档没有变化。</translation>
    </message>
    <message>
        <source>Answers can&apos;t be told to {0}.</source>
        <translation>对回答不能执行 {0}。</translation>
    </message>
    <message>
        <source>Archives are looked into, or not.</source>
        <translation>压缩包要么读取，要么不读取。</translation>
    </message>
    <message>
        <source>Ask again, naming what it says: “{0}”.</source>
        <translation>请重新提问，并说出其中的内容：“{0}”。</translation>
    </message>
    <message>
        <source>Ask at its end.</source>
        <translation>请在它的末尾提问。</translation>
    </message>
    <message>
        <source>Ask for fewer passages, or make “Passage size” smaller.</source>
        <translation>请减少段落数，或调小“段落大小”。</translation>
    </message>
    <message>
        <source>Ask for less at once.</source>
        <translation>请一次少问一些。</translation>
    </message>
    <message>
        <source>Ask for “{0}” alone: then it is passage {1}.</source>
        <translation>只问“{0}”：它就会成为第 {1} 个段落。</translation>
    </message>
    <message>
        <source>Ask in it first.</source>
        <translation>请先在其中提问。</translation>
    </message>
    <message>
        <source>Ask in it for what is missing.</source>
        <translation>请在其中询问缺少的内容。</translation>
    </message>
    <message>
        <source>Ask in the conversation for what is missing.</source>
        <translation>请在对话中询问缺少的内容。</translation>
    </message>
    <message>
        <source>Ask something.</source>
        <translation>请输入问题。</translation>
    </message>
    <message>
        <source>Ask the question again.</source>
        <translation>请重新提问。</translation>
    </message>
    <message>
        <source>Ask the question in other words.</source>
        <translation>请换一种说法提问。</translation>
    </message>
    <message>
        <source>Ask who runs it for the right to, or check the token and the certificate on the settings&apos; page “Privacy”.</source>
        <translation>请向服务器的管理者申请权限，或在设置的“隐私”页检查 token 和身份文件。</translation>
    </message>
    <message>
        <source>Ask who runs the server why, or empty the setting “Shared Chroma server”.</source>
        <translation>请向该服务器的管理者询问原因，或清空设置“共享 Chroma 服务器”。</translation>
    </message>
    <message>
        <source>Ask “{0}”, or move the file.</source>
        <translation>请在“{0}”中提问，或移动该文件。</translation>
    </message>
    <message>
        <source>Asked again after one file was read.</source>
        <translation>读取了 1 个文件后已重新提问。</translation>
    </message>
    <message>
        <source>Asked again after {0} files were read.</source>
        <translation>读取了 {0} 个文件后已重新提问。</translation>
    </message>
    <message>
        <source>Attention heads (Multi-Head RAG)</source>
        <translation>注意力头（Multi-Head RAG）</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>均衡</translation>
    </message>
    <message>
        <source>Beam</source>
        <translation>追踪数</translation>
    </message>
    <message>
        <source>Beams</source>
        <translation>候选回答数</translation>
    </message>
    <message>
        <source>Begin a new one.</source>
        <translation>请新建一个。</translation>
    </message>
    <message>
        <source>Best practices, balanced</source>
        <translation>最佳实践，均衡</translation>
    </message>
    <message>
        <source>Best practices, most accurate</source>
        <translation>最佳实践，最准确</translation>
    </message>
    <message>
        <source>Better answers, slower without a GPU</source>
        <translation>回答更好，没有 GPU 时较慢</translation>
    </message>
    <message>
        <source>By how much an answer must beat “no answer”, in the reader&apos;s logits.</source>
        <translation>答案须比“无答案”高出多少（以阅读模型的对数几率计）。</translation>
    </message>
    <message>
        <source>By its name this could be one: {0}.</source>
        <translation>从名称看，可能是这个：{0}。</translation>
    </message>
    <message>
        <source>By its two nearest pieces, its page is number {0}.</source>
        <translation>按最接近的两段计算，它所在的页面排第 {0}。</translation>
    </message>
    <message>
        <source>By meaning it is number {0} and by words {1}: neither is among the first {2}.</source>
        <translation>按语义它排第 {0}，按词语排第 {1}：都不在前 {2} 名之内。</translation>
    </message>
    <message>
        <source>By meaning it is number {0} of {1}, but the vector index missed it.</source>
        <translation>按语义它在 {1} 个中排第 {0}，但向量索引漏掉了它。</translation>
    </message>
    <message>
        <source>By meaning it is number {0} of {1}; the first {2} go on.</source>
        <translation>按语义它在 {1} 个中排第 {0}；前 {2} 名进入下一步。</translation>
    </message>
    <message>
        <source>By meaning it is number {0}, not among the first {1}, and it shares no word with the question.</source>
        <translation>按语义它排第 {0}，不在前 {1} 名之内，而且与问题没有共同的词语。</translation>
    </message>
    <message>
        <source>By their names these could be some: {0}.</source>
        <translation>从名称看，可能是这些：{0}。</translation>
    </message>
    <message>
        <source>By words it is number {0} of {1}; the first {2} go on.</source>
        <translation>按词语它在 {1} 个中排第 {0}；前 {2} 名进入下一步。</translation>
    </message>
    <message>
        <source>By words it is number {0}, not among the first {1}.</source>
        <translation>按词语它排第 {0}，不在前 {1} 名之内。</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>候选段落</translation>
    </message>
    <message>
        <source>Cells outside of the rows and columns that a sheet has were left out.</source>
        <translation>超出工作表行列范围的单元格已略去。</translation>
    </message>
    <message>
        <source>Chain of thought</source>
        <translation>思维链</translation>
    </message>
    <message>
        <source>Charts that are too large to be read: {0}.</source>
        <translation>有 {0} 个图表过大，未能读取。</translation>
    </message>
    <message>
        <source>Check Ollama&apos;s address in the settings, and update Ollama.</source>
        <translation>请检查设置中的 Ollama 地址，并更新 Ollama。</translation>
    </message>
    <message>
        <source>Check how it is spelt.</source>
        <translation>请检查拼写。</translation>
    </message>
    <message>
        <source>Check how its path is written.</source>
        <translation>请检查路径的写法。</translation>
    </message>
    <message>
        <source>Check how they are written, or add the file that has them.</source>
        <translation>请检查这些词语的写法，或添加含有它们的文件。</translation>
    </message>
    <message>
        <source>Check the address in the settings: LM Studio listens at 127.0.0.1:1234, llama.cpp at 127.0.0.1:8080, vLLM at 127.0.0.1:8000.</source>
        <translation>请检查设置中的地址：LM Studio 使用 127.0.0.1:1234，llama.cpp 使用 127.0.0.1:8080，vLLM 使用 127.0.0.1:8000。</translation>
    </message>
    <message>
        <source>Check the data folder (--data-dir); nothing was changed.</source>
        <translation>请检查数据文件夹（--data-dir）；未作任何改动。</translation>
    </message>
    <message>
        <source>Check the disk or the connection and try again.</source>
        <translation>请检查磁盘或网络连接，然后重试。</translation>
    </message>
    <message>
        <source>Check the disk or the connection.</source>
        <translation>请检查磁盘或连接。</translation>
    </message>
    <message>
        <source>Check the drive or the connection and try again.</source>
        <translation>请检查驱动器或连接，然后重试。</translation>
    </message>
    <message>
        <source>Check the drive.</source>
        <translation>请检查磁盘。</translation>
    </message>
    <message>
        <source>Check the drives or the connection, start Desktop RAG again and try again.</source>
        <translation>请检查驱动器或连接，重新启动 Desktop RAG 后重试。</translation>
    </message>
    <message>
        <source>Check the file&apos;s permissions, or copy it to this computer.</source>
        <translation>请检查文件权限，或把文件复制到这台电脑。</translation>
    </message>
    <message>
        <source>Check the file, or choose another on the settings&apos; page “Privacy”.</source>
        <translation>请检查这个文件，或在设置的“隐私”页另选一个。</translation>
    </message>
    <message>
        <source>Check the folder&apos;s permissions, or choose another data folder.</source>
        <translation>请检查文件夹权限，或选择其他数据文件夹。</translation>
    </message>
    <message>
        <source>Check the name at ollama.com/library.</source>
        <translation>请在 ollama.com/library 上核对名称。</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>核对</translation>
    </message>
    <message>
        <source>Choose a cross-encoder that was trained to rank passages.</source>
        <translation>请选择一个为段落排序而训练的交叉编码器。</translation>
    </message>
    <message>
        <source>Choose a folder that is there, has room, and may be written to.</source>
        <translation>请选择一个存在、有空间且可写入的文件夹。</translation>
    </message>
    <message>
        <source>Choose a model of at most {0}, for example the built-in.</source>
        <translation>请选择最多 {0} 个数的模型，例如内置模型。</translation>
    </message>
    <message>
        <source>Choose a model that has them so: other files may run code when they are read.</source>
        <translation>请选择提供 safetensors 的模型：其他格式的文件在读取时可能运行代码。</translation>
    </message>
    <message>
        <source>Choose a model that is made of sentence-transformers&apos; own parts.</source>
        <translation>请选择由 sentence-transformers 自带部件组成的模型。</translation>
    </message>
    <message>
        <source>Choose a model that is on this computer.</source>
        <translation>请选择本机上的模型。</translation>
    </message>
    <message>
        <source>Choose a model that runs on this computer, or allow this one where a language model is set up step by step.</source>
        <translation>请选择在这台电脑上运行的模型，或在逐步设置语言模型时允许此模型。</translation>
    </message>
    <message>
        <source>Choose a number from {0} to {1}.</source>
        <translation>请选择 {0} 到 {1} 之间的数值。</translation>
    </message>
    <message>
        <source>Choose a reranker that reads the documents&apos; language in the settings (Retrieval).</source>
        <translation>请在设置（检索）中选择能读懂文档语言的重排模型。</translation>
    </message>
    <message>
        <source>Choose a smaller model or a shorter context length, or close other programs.</source>
        <translation>请选择更小的模型或更短的上下文长度，或关闭其他程序。</translation>
    </message>
    <message>
        <source>Choose another model, or allow it for the knowledge base on the settings&apos; page “Privacy” (allow_remote=true on the command line).</source>
        <translation>请选择其他模型，或在设置的“隐私”页为该知识库允许连接（命令行用 allow_remote=true）。</translation>
    </message>
    <message>
        <source>Choose another model, or set {0}.</source>
        <translation>请选择其他模型，或设置 {0}。</translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation>请选择其他模型。</translation>
    </message>
    <message>
        <source>Choose another name with --as, or write into that one with --together.</source>
        <translation>请用 --as 另取一个名称，或用 --together 写入已有的那个。</translation>
    </message>
    <message>
        <source>Choose another name, or delete it.</source>
        <translation>请换一个名称，或将其删除。</translation>
    </message>
    <message>
        <source>Choose another name, or delete the file first.</source>
        <translation>请另选一个名称，或者先删除这个文件。</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>请换一个名称。</translation>
    </message>
    <message>
        <source>Choose another one.</source>
        <translation>请另选一个。</translation>
    </message>
    <message>
        <source>Choose another place, or another name.</source>
        <translation>请另选位置或名称。</translation>
    </message>
    <message>
        <source>Choose another place.</source>
        <translation>请选择其他位置。</translation>
    </message>
    <message>
        <source>Choose another strategy, or let llama.cpp, vLLM or Ollama serve the model.</source>
        <translation>请选择其他策略，或改用 llama.cpp、vLLM 或 Ollama 运行该模型。</translation>
    </message>
    <message>
        <source>Choose another strategy.</source>
        <translation>请选择其他策略。</translation>
    </message>
    <message>
        <source>Choose another.</source>
        <translation>请另选一个。</translation>
    </message>
    <message>
        <source>Choose one of {0}.</source>
        <translation>请从 {0} 中选择。</translation>
    </message>
    <message>
        <source>Choose one of: {0}.</source>
        <translation>请从以下各项中选择：{0}。</translation>
    </message>
    <message>
        <source>Choose one that `eval sets` shows, or save a question first.</source>
        <translation>请选择 `eval sets` 列出的一个，或先保存一个问题。</translation>
    </message>
    <message>
        <source>Choose one that `kb list` shows, or begin it with `index`.</source>
        <translation>请从 `kb list` 列出的知识库中选择，或用 `index` 开始建立。</translation>
    </message>
    <message>
        <source>Choose one that is listed.</source>
        <translation>请从列表中选择一条。</translation>
    </message>
    <message>
        <source>Choose others.</source>
        <translation>请选择其他文档。</translation>
    </message>
    <message>
        <source>Choose that model on the settings&apos; page “Models”, or share under another name.</source>
        <translation>请在设置页“模型”中选择那个模型，或以另一个名称共享。</translation>
    </message>
    <message>
        <source>Choose the built-in one in the settings.</source>
        <translation>请在设置中选择内置的嵌入模型。</translation>
    </message>
    <message>
        <source>Choose the folder of your documents.</source>
        <translation>请选择存放文档的文件夹。</translation>
    </message>
    <message>
        <source>Chosen for variety, it is number {0} of {1}.</source>
        <translation>按多样性选取后，它在 {1} 个中排第 {0}。</translation>
    </message>
    <message>
        <source>Chroma named the candidates, exact cosines ordered them.</source>
        <translation>候选由 Chroma 给出，并按精确相似度排序。</translation>
    </message>
    <message>
        <source>Chroma&apos;s copy of {0}</source>
        <translation>{0} 在 Chroma 中的副本</translation>
    </message>
    <message>
        <source>Close it, then run this again.</source>
        <translation>请关闭它，然后重新运行。</translation>
    </message>
    <message>
        <source>Close it.</source>
        <translation>请补上。</translation>
    </message>
    <message>
        <source>Close the other Desktop RAG first, then run this again.</source>
        <translation>请先关闭另一个 Desktop RAG，然后重新运行。</translation>
    </message>
    <message>
        <source>Close the window (or stop `index --watch`), then run this again.</source>
        <translation>请关闭窗口（或停止 `index --watch`），然后重试。</translation>
    </message>
    <message>
        <source>Close this one: it writes nothing any more.</source>
        <translation>请关闭这个程序：它不会再写入任何内容。</translation>
    </message>
    <message>
        <source>Comparison of documents</source>
        <translation>文档比较</translation>
    </message>
    <message>
        <source>Condense follow-ups</source>
        <translation>改写追问</translation>
    </message>
    <message>
        <source>Connect this computer to the internet, or copy Ollama&apos;s models folder from another one.</source>
        <translation>请把这台电脑接入互联网，或从另一台电脑复制 Ollama 的模型文件夹。</translation>
    </message>
    <message>
        <source>Connections to other computers are blocked, and the shared Chroma server is on one.</source>
        <translation>与其他计算机的连接已被阻止，而共享 Chroma 服务器位于其他计算机上。</translation>
    </message>
    <message>
        <source>Connections to other computers are blocked, and {0} is one.</source>
        <translation>与其他电脑的连接已被阻止，而 {0} 是其他电脑。</translation>
    </message>
    <message>
        <source>Constraints</source>
        <translation>约束</translation>
    </message>
    <message>
        <source>Conversation {0} has no such answer.</source>
        <translation>对话 {0} 中没有这个回答。</translation>
    </message>
    <message>
        <source>Copy or export it again and import that; nothing was changed here.</source>
        <translation>请重新复制或导出后再导入；这里没有任何改动。</translation>
    </message>
    <message>
        <source>Correct from</source>
        <translation>正确的下限</translation>
    </message>
    <message>
        <source>Corrective retrieval (CRAG)</source>
        <translation>纠正式检索（CRAG）</translation>
    </message>
    <message>
        <source>Damping</source>
        <translation>阻尼</translation>
    </message>
    <message>
        <source>Delete it when you do not need it; a removal for good deletes it as well.</source>
        <translation>不需要时请将其删除；彻底移除内容时它也会一并删除。</translation>
    </message>
    <message>
        <source>Delete them when you do not need them; a removal for good deletes them as well.</source>
        <translation>不需要时请将其删除；彻底移除内容时它们也会一并删除。</translation>
    </message>
    <message>
        <source>Demonstrate, search, predict (DSP)</source>
        <translation>示范、检索、预测（DSP）</translation>
    </message>
    <message>
        <source>Demonstrations</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Desktop RAG is open on this data folder; its catalog can be recovered only while it is closed.</source>
        <translation>Desktop RAG 正在使用此数据文件夹；只有关闭后才能恢复其目录数据库。</translation>
    </message>
    <message>
        <source>Direct</source>
        <translation>直接回答</translation>
    </message>
    <message>
        <source>Document {0} of {1}.</source>
        <translation>第 {0} 份文档，共 {1} 份。</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Documents can&apos;t be told to {0}.</source>
        <translation>不能对文档执行 {0}。</translation>
    </message>
    <message>
        <source>Documents of up to {0} passages need no tree.</source>
        <translation>不超过 {0} 个段落的文档不需要树。</translation>
    </message>
    <message>
        <source>Documents that are asked: {0}, a call of the model each.</source>
        <translation>询问的文档：{0} 份，每份调用模型一次。</translation>
    </message>
    <message>
        <source>Documents that are asked: {0}.</source>
        <translation>询问的文档：{0} 份。</translation>
    </message>
    <message>
        <source>Documents whose properties are looked up: {0}. Where there is none, they are asked.</source>
        <translation>查看属性的文档：{0} 个。没有该属性的文档，则从其正文中查找。</translation>
    </message>
    <message>
        <source>Documents whose summary was prepared: {0}.</source>
        <translation>已预先写好摘要的文档：{0}。</translation>
    </message>
    <message>
        <source>Drives do not answer, and {0} processes wait for them.</source>
        <translation>有驱动器没有响应，{0} 个进程正在等待。</translation>
    </message>
    <message>
        <source>Each adds about {0} tokens to every call, in Chinese {1}.</source>
        <translation>每个示例使每次调用增加约 {0} 个 token，中文约 {1} 个。</translation>
    </message>
    <message>
        <source>Each attention head of the embedder votes for passages of its own.</source>
        <translation>嵌入模型的每个注意力头各自为段落投票。</translation>
    </message>
    <message>
        <source>Each fact of a passage is found by itself.</source>
        <translation>段落中的每个事实都能单独被找到。</translation>
    </message>
    <message>
        <source>Each line is a JSON object: id, title, text in a corpus; id, question and the lists answers and gold in a question set.</source>
        <translation>每行是一个 JSON 对象：语料为 id、title、text；问题集为 id、question 以及列表 answers 和 gold。</translation>
    </message>
    <message>
        <source>English, Chinese and some 100 other languages.</source>
        <translation>英语、中文及约 100 种其他语言。</translation>
    </message>
    <message>
        <source>English, Chinese and some 27 other languages.</source>
        <translation>英语、中文及约 27 种其他语言。</translation>
    </message>
    <message>
        <source>English, German, French, Italian, Portuguese, Hindi, Spanish and Thai.</source>
        <translation>英语、德语、法语、意大利语、葡萄牙语、印地语、西班牙语和泰语。</translation>
    </message>
    <message>
        <source>Enter it again; capital letters and the layout of the keyboard count.</source>
        <translation>请重新输入；请注意大小写和输入法。</translation>
    </message>
    <message>
        <source>Enter the password, or save a copy without one and add that.</source>
        <translation>请输入密码，或另存一份没有密码的副本并添加它。</translation>
    </message>
    <message>
        <source>Entities are found by rules, without a language model: passages that name the same are joined.</source>
        <translation>不用语言模型，按规则找出实体：提到同一实体的段落会连在一起。</translation>
    </message>
    <message>
        <source>Entities are found by rules; the language model writes how they are related.</source>
        <translation>按规则找出实体；由语言模型写出它们之间的关系。</translation>
    </message>
    <message>
        <source>Every vector was compared.</source>
        <translation>比较了每一个向量。</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>FLARE, direct</source>
        <translation>FLARE（直接）</translation>
    </message>
    <message>
        <source>FLARE, instructed</source>
        <translation>FLARE（指令）</translation>
    </message>
    <message>
        <source>Fast</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>Fetch and load the model there, or set the address to Ollama&apos;s.</source>
        <translation>请在该程序中下载并加载模型，或将地址改为 Ollama 的地址。</translation>
    </message>
    <message>
        <source>Few passages are reranked, the best sentences are read.</source>
        <translation>只重排少数段落，只读最佳的句子。</translation>
    </message>
    <message>
        <source>Figures without it would mislead.</source>
        <translation>没有它，数值会误导人。</translation>
    </message>
    <message>
        <source>Files of this kind ({0}) are not read.</source>
        <translation>不支持读取此类文件（{0}）。</translation>
    </message>
    <message>
        <source>Files of {0} are not read.</source>
        <translation>不支持读取 {0} 的文件。</translation>
    </message>
    <message>
        <source>Files whose text was lost are read again by the next `index` where their folder is followed.</source>
        <translation>丢失文本的文件，若其文件夹已被跟踪，下次运行 `index` 时会重新读取。</translation>
    </message>
    <message>
        <source>Files with the same content as another were left out: {0}.</source>
        <translation>与其他文件内容相同的文件已略去：{0} 个。</translation>
    </message>
    <message>
        <source>Files without text were left out: {0}.</source>
        <translation>没有文字的文件已略去：{0} 个。</translation>
    </message>
    <message>
        <source>Filter from the question</source>
        <translation>从问题中提取过滤条件</translation>
    </message>
    <message>
        <source>Finds passages in a hundred languages</source>
        <translation>可用上百种语言查找段落</translation>
    </message>
    <message>
        <source>First passages</source>
        <translation>首个段落</translation>
    </message>
    <message>
        <source>Follow-up questions</source>
        <translation>追问</translation>
    </message>
    <message>
        <source>For computers with a good GPU</source>
        <translation>适合配有高性能 GPU 的电脑</translation>
    </message>
    <message>
        <source>Formulas that could not be read and are missing in the text: {0}.</source>
        <translation>有 {0} 个公式未能读取，正文中没有这些公式。</translation>
    </message>
    <message>
        <source>Formulas that could not be read: {0}. The text says [formula] in their place.</source>
        <translation>有 {0} 个公式未能读取，正文中以 [formula] 标出其位置。</translation>
    </message>
    <message>
        <source>From your knowledge base “{0}”: {1}.</source>
        <translation>来自您的知识库“{0}”：{1}。</translation>
    </message>
    <message>
        <source>Get one, for example with `ollama pull qwen3:4b`.</source>
        <translation>请下载一个，例如 `ollama pull qwen3:4b`。</translation>
    </message>
    <message>
        <source>Give a model&apos;s folder, or fetch it: desktop-rag models --get {0}</source>
        <translation>请给出模型的文件夹，或下载它：desktop-rag models --get {0}</translation>
    </message>
    <message>
        <source>Give some of its words, its number or its file.</source>
        <translation>请给出它的一些词语、编号或文件。</translation>
    </message>
    <message>
        <source>Give yourself the right to read it and try again.</source>
        <translation>请授予自己读取权限，然后重试。</translation>
    </message>
    <message>
        <source>Give yourself the right to read it.</source>
        <translation>请授予自己读取权限。</translation>
    </message>
    <message>
        <source>Give yourself the right to write there, or name another with --data-dir.</source>
        <translation>请授予自己写入权限，或用 --data-dir 指定其他文件夹。</translation>
    </message>
    <message>
        <source>Good English and Chinese</source>
        <translation>英语和中文都好</translation>
    </message>
    <message>
        <source>Graph of entities (HippoRAG)</source>
        <translation>实体图（HippoRAG）</translation>
    </message>
    <message>
        <source>Hardly any text was found in the picture.</source>
        <translation>图片中几乎没有文字。</translation>
    </message>
    <message>
        <source>Headings</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Headings read</source>
        <translation>阅读的标题数</translation>
    </message>
    <message>
        <source>Homebrew fetches Ollama and installs it.</source>
        <translation>由 Homebrew 下载并安装 Ollama。</translation>
    </message>
    <message>
        <source>Hops</source>
        <translation>跳数</translation>
    </message>
    <message>
        <source>How far the walk goes before it begins again.</source>
        <translation>游走多远后重新从起点开始。</translation>
    </message>
    <message>
        <source>How long the nearest passages and summaries are together, where all layers are searched.</source>
        <translation>同时搜索所有层时，最相近的段落和摘要合起来有多长。</translation>
    </message>
    <message>
        <source>How many a chain may begin with.</source>
        <translation>一条链可以从多少个段落开始。</translation>
    </message>
    <message>
        <source>How many actions it may take.</source>
        <translation>最多执行多少个动作。</translation>
    </message>
    <message>
        <source>How many answers are carried on.</source>
        <translation>同时保留多少个候选回答。</translation>
    </message>
    <message>
        <source>How many documents are picked first, where there are too many headings.</source>
        <translation>标题太多时，先选出多少个文档。</translation>
    </message>
    <message>
        <source>How many headings are picked at most.</source>
        <translation>最多选出多少个标题。</translation>
    </message>
    <message>
        <source>How many headings the model reads at most.</source>
        <translation>模型最多阅读多少个标题。</translation>
    </message>
    <message>
        <source>How many it may ask itself.</source>
        <translation>最多可以自问多少个问题。</translation>
    </message>
    <message>
        <source>How many nodes of each layer are followed down.</source>
        <translation>每层有多少个节点继续向下搜索。</translation>
    </message>
    <message>
        <source>How many of all passages the answer reads.</source>
        <translation>回答时阅读其中多少个段落。</translation>
    </message>
    <message>
        <source>How many of the last places are for them.</source>
        <translation>最后几个位置中留给它们的数量。</translation>
    </message>
    <message>
        <source>How many of the walk&apos;s passages are looked at.</source>
        <translation>查看多少个游走找到的段落。</translation>
    </message>
    <message>
        <source>How many of them are followed.</source>
        <translation>沿其中多少个继续查找。</translation>
    </message>
    <message>
        <source>How many passages a hop adds; 0: 2 in v1, 5 in v2.</source>
        <translation>每一跳增加多少个段落；0 表示 v1 为 2，v2 为 5。</translation>
    </message>
    <message>
        <source>How many passages answer each of them.</source>
        <translation>每个子问题用多少个段落来回答。</translation>
    </message>
    <message>
        <source>How many passages are judged.</source>
        <translation>评判多少个段落。</translation>
    </message>
    <message>
        <source>How many passages are labelled.</source>
        <translation>标注多少个段落。</translation>
    </message>
    <message>
        <source>How many passages are made up; the paper has 8.</source>
        <translation>虚构多少个段落；论文用 8 个。</translation>
    </message>
    <message>
        <source>How many passages are read for their utility.</source>
        <translation>为判断效用而阅读的段落数。</translation>
    </message>
    <message>
        <source>How many passages each check is answered from.</source>
        <translation>每个核对问题用多少个段落来回答。</translation>
    </message>
    <message>
        <source>How many passages each one is answered from.</source>
        <translation>每个问题用多少个段落来回答。</translation>
    </message>
    <message>
        <source>How many passages each round reads.</source>
        <translation>每一轮阅读的段落数。</translation>
    </message>
    <message>
        <source>How many passages each search finds.</source>
        <translation>每次检索找出多少个段落。</translation>
    </message>
    <message>
        <source>How many passages each search gives.</source>
        <translation>每次检索给出多少个段落。</translation>
    </message>
    <message>
        <source>How many passages give a segment each.</source>
        <translation>用多少个段落各写一个片段。</translation>
    </message>
    <message>
        <source>How many passages it collects.</source>
        <translation>一共收集多少个段落。</translation>
    </message>
    <message>
        <source>How many passages the answer rests on at most.</source>
        <translation>回答最多依据多少个段落。</translation>
    </message>
    <message>
        <source>How many passages the answer rests on.</source>
        <translation>回答所依据的段落数。</translation>
    </message>
    <message>
        <source>How many passages the second stage reads at most.</source>
        <translation>第二阶段最多读取多少个段落。</translation>
    </message>
    <message>
        <source>How many queries a hop, and how many answers, v2 samples.</source>
        <translation>v2 每一跳抽取多少个查询、多少个回答。</translation>
    </message>
    <message>
        <source>How many questions check the answer at most.</source>
        <translation>最多用多少个问题核对回答。</translation>
    </message>
    <message>
        <source>How many second passages are read at most.</source>
        <translation>最多阅读多少个第二段落。</translation>
    </message>
    <message>
        <source>How many sentences it writes at most; paper: 7.</source>
        <translation>最多写多少个句子；论文为 7。</translation>
    </message>
    <message>
        <source>How many sentences make a strip.</source>
        <translation>多少个句子组成一条。</translation>
    </message>
    <message>
        <source>How many sentences the chain of thought may have.</source>
        <translation>思维链最多有多少个句子。</translation>
    </message>
    <message>
        <source>How many strips the answer rests on.</source>
        <translation>回答依据多少条。</translation>
    </message>
    <message>
        <source>How many tables a model is told of.</source>
        <translation>告诉模型多少个表格。</translation>
    </message>
    <message>
        <source>How many the built-in reader reads, where it picks.</source>
        <translation>由内置阅读器选择时，它阅读多少个。</translation>
    </message>
    <message>
        <source>How many the first search gives as seeds.</source>
        <translation>第一次搜索给出多少个起点段落。</translation>
    </message>
    <message>
        <source>How many tokens a tentative sentence may take.</source>
        <translation>一个试写的句子最多多少个 token。</translation>
    </message>
    <message>
        <source>How many tokens one sentence may take.</source>
        <translation>一个句子最多多少个 token。</translation>
    </message>
    <message>
        <source>How many tokens the answer may take in all.</source>
        <translation>整个回答最多多少个 token。</translation>
    </message>
    <message>
        <source>How many wordings are searched beside the question.</source>
        <translation>除问题本身外，再检索多少种说法。</translation>
    </message>
    <message>
        <source>How many worked examples the model sees before the passages, as in the paper.</source>
        <translation>模型在段落之前看到多少个示例，与论文相同。</translation>
    </message>
    <message>
        <source>How many worked examples, those most like the question, are shown before a query; each adds 40 to 60 tokens to a call, the first 50 more.</source>
        <translation>写检索词之前给出多少个与问题最相似的示例；每个示例使一次调用增加 40 到 60 个 token，第一个另加 50 个。</translation>
    </message>
    <message>
        <source>How much the passages differ from each other.</source>
        <translation>这些虚构段落彼此相差多大。</translation>
    </message>
    <message>
        <source>How often it searches at most.</source>
        <translation>最多检索多少次。</translation>
    </message>
    <message>
        <source>How often it searches.</source>
        <translation>检索多少次。</translation>
    </message>
    <message>
        <source>How often it searches; 2 give most of the gain.</source>
        <translation>检索的轮数；2 轮即可获得大部分收益。</translation>
    </message>
    <message>
        <source>How often the model may ask for a search.</source>
        <translation>模型最多可以要求检索多少次。</translation>
    </message>
    <message>
        <source>How probable it must be that a passage says nothing of the query, to leave it out.</source>
        <translation>一个段落与查询无关的概率要多高，才不采用它。</translation>
    </message>
    <message>
        <source>How the answer is written: at once, or after thinking aloud; auto: at once by a model of fewer than 12 billion parameters, as in the paper.</source>
        <translation>回答怎样写成：直接写出，或先写出思考过程；auto：参数少于 12B 的模型直接写出，与论文相同。</translation>
    </message>
    <message>
        <source>Hypothetical passages (HyDE)</source>
        <translation>假想段落（HyDE）</translation>
    </message>
    <message>
        <source>Hypothetical questions</source>
        <translation>假设问题</translation>
    </message>
    <message>
        <source>If it is the same one, name it with --folder; if it is another, give it a name with --folder that is its own.</source>
        <translation>如果是同一个文件夹，请用 --folder 写出这个名称；如果是另一个，请用 --folder 给它一个自己的名称。</translation>
    </message>
    <message>
        <source>If it shows text, add a larger or sharper copy of it.</source>
        <translation>如果其中有文字，请添加更大或更清的副本。</translation>
    </message>
    <message>
        <source>If it shows text, that is a picture: add a copy with text in it.</source>
        <translation>如果其中能看到文字，那只是图片：请添加一份含有文字的副本。</translation>
    </message>
    <message>
        <source>If you trust the computer that Ollama is set to, allow it for the knowledge base on the settings&apos; page “Privacy” (allow_remote=true on the command line); or set the address to this one.</source>
        <translation>如果您信任 Ollama 所在的那台电脑，请在设置的“隐私”页为该知识库允许连接（命令行用 allow_remote=true），或把地址改为本机。</translation>
    </message>
    <message>
        <source>If you want that, say so with --agree.</source>
        <translation>如果同意，请加上 --agree。</translation>
    </message>
    <message>
        <source>Import it under another name: `kb import NAME FILE`. Nothing was changed.</source>
        <translation>请换个名称导入：`kb import NAME FILE`。没有任何改动。</translation>
    </message>
    <message>
        <source>Import without it, and add the folder afterwards.</source>
        <translation>请先不带它导入，之后再添加该文件夹。</translation>
    </message>
    <message>
        <source>In how many of your other knowledge bases it looks after a poor search.</source>
        <translation>检索结果不好时，再到您的多少个其他知识库中查找。</translation>
    </message>
    <message>
        <source>In the archive, archives within archives that were not read: {0} ({1}).</source>
        <translation>压缩包中未读取的多层压缩包：{0} 个（{1}）。</translation>
    </message>
    <message>
        <source>In the archive, links and devices that were not followed: {0} ({1}).</source>
        <translation>压缩包中未跟随的链接和设备：{0} 个（{1}）。</translation>
    </message>
    <message>
        <source>In the archive, more that was not read: {0} ({1}).</source>
        <translation>压缩包中其他未读取的文件：{0} 个（{1}）。</translation>
    </message>
    <message>
        <source>In the archive, more that was read in part only: {0}.</source>
        <translation>压缩包中还有 {0} 处只读取了一部分。</translation>
    </message>
    <message>
        <source>In the archive, of kinds that are not read: {0} ({1}).</source>
        <translation>压缩包中不支持读取的文件：{0} 个（{1}）。</translation>
    </message>
    <message>
        <source>In the archive, pictures that were not read: {0} ({1}).</source>
        <translation>压缩包中未读取的图片：{0} 个（{1}）。</translation>
    </message>
    <message>
        <source>In the archive, protected with a password and not read: {0} ({1}).</source>
        <translation>压缩包中有密码保护而未读取的文件：{0} 个（{1}）。</translation>
    </message>
    <message>
        <source>In the archive, too large to be unpacked: {0} ({1}).</source>
        <translation>压缩包中过大而未解压的文件：{0} 个（{1}）。</translation>
    </message>
    <message>
        <source>In the question: {0}</source>
        <translation>问题中的实体：{0}</translation>
    </message>
    <message>
        <source>Include it again: it is among the excluded files.</source>
        <translation>请重新纳入：它在已排除的文件中。</translation>
    </message>
    <message>
        <source>Incorrect below</source>
        <translation>不正确的上限</translation>
    </message>
    <message>
        <source>Index again: every passage is embedded anew.</source>
        <translation>请重新索引：所有段落都会重新嵌入。</translation>
    </message>
    <message>
        <source>Install Desktop RAG again, or take the model&apos;s folder from another installation.</source>
        <translation>请重新安装 Desktop RAG，或从其他安装中复制模型文件夹。</translation>
    </message>
    <message>
        <source>Install Desktop RAG again.</source>
        <translation>请重新安装 Desktop RAG。</translation>
    </message>
    <message>
        <source>Install the extra “sentence-transformers” as the README says, or name another model.</source>
        <translation>请按 README 所述安装附加组件“sentence-transformers”，或指定其他模型。</translation>
    </message>
    <message>
        <source>Instead of the study&apos;s TILDEv2: the built-in reader, on few passages.</source>
        <translation>代替研究中的 TILDEv2：内置阅读器，只读少数段落。</translation>
    </message>
    <message>
        <source>Instead of the study&apos;s monoT5: the built-in reader.</source>
        <translation>代替研究中的 monoT5：内置阅读器。</translation>
    </message>
    <message>
        <source>Instead of the study&apos;s trained classifier: rules, which search nothing for small talk.</source>
        <translation>代替研究中训练的分类器：用规则判断，闲聊时不检索。</translation>
    </message>
    <message>
        <source>Interleaved retrieval and reasoning (IRCoT)</source>
        <translation>检索与推理交替（IRCoT）</translation>
    </message>
    <message>
        <source>It can be rebuilt.</source>
        <translation>可以重建。</translation>
    </message>
    <message>
        <source>It can&apos;t be examined: {0}.</source>
        <translation>无法检查：{0}。</translation>
    </message>
    <message>
        <source>It does not fit the context of {0} tokens any more.</source>
        <translation>{0} 个 token 的上下文已放不下它。</translation>
    </message>
    <message>
        <source>It fits the context of {0} tokens, as source {1}.</source>
        <translation>{0} 个 token 的上下文放得下它，作为来源 {1}。</translation>
    </message>
    <message>
        <source>It goes on with the parts answered until then.</source>
        <translation>将用已经回答的部分继续。</translation>
    </message>
    <message>
        <source>It has no vector of the model that is in use.</source>
        <translation>它还没有当前模型的向量。</translation>
    </message>
    <message>
        <source>It holds no word of the question.</source>
        <translation>其中没有问题里的任何词语。</translation>
    </message>
    <message>
        <source>It is a table: some of its rows are quoted, and nothing is counted.</source>
        <translation>这是表格：引用了其中几行，没有统计。</translation>
    </message>
    <message>
        <source>It is damaged: {0}.</source>
        <translation>已损坏：{0}。</translation>
    </message>
    <message>
        <source>It is found, as passage {0} of {1}.</source>
        <translation>找到了，是 {1} 个段落中的第 {0} 个。</translation>
    </message>
    <message>
        <source>It is in another knowledge base: --kb {0}.</source>
        <translation>它在另一个知识库中：--kb {0}。</translation>
    </message>
    <message>
        <source>It is in the knowledge base “{0}” now.</source>
        <translation>它现在在知识库“{0}”中。</translation>
    </message>
    <message>
        <source>It is mended in the background while the window is open, and by `desktop-rag index`. Until then searches compare the catalog&apos;s vectors.</source>
        <translation>窗口打开时会在后台更新，运行 `desktop-rag index` 也会更新。在此之前，检索会逐一比较目录数据库中的向量。</translation>
    </message>
    <message>
        <source>It is packed in a way that is not read.</source>
        <translation>它的压缩方式不受支持。</translation>
    </message>
    <message>
        <source>It is used as part of passage {0}.</source>
        <translation>它作为第 {0} 个段落的一部分被采用。</translation>
    </message>
    <message>
        <source>It is used as passage {0} of {1}.</source>
        <translation>它作为 {1} 个段落中的第 {0} 个被采用。</translation>
    </message>
    <message>
        <source>It learns from {0} questions and is measured on {1} others, on other documents.</source>
        <translation>用 {0} 个问题学习，并用另外 {1} 个关于其他文档的问题衡量。</translation>
    </message>
    <message>
        <source>It may have been moved.</source>
        <translation>它可能已被移动。</translation>
    </message>
    <message>
        <source>It must be {0}.</source>
        <translation>必须是{0}。</translation>
    </message>
    <message>
        <source>It searches if this likely to want to.</source>
        <translation>需要检索的概率高于此值时才检索。</translation>
    </message>
    <message>
        <source>It shares no word with the question, and its meaning could not be compared.</source>
        <translation>它与问题没有共同的词语，语义也无法比较。</translation>
    </message>
    <message>
        <source>It shares with the question: {0}.</source>
        <translation>与问题共有：{0}。</translation>
    </message>
    <message>
        <source>It shares words with the question, but the word index does not hold it.</source>
        <translation>它与问题有共同的词语，但词语索引中没有它。</translation>
    </message>
    <message>
        <source>It takes about {0} min more, measured on the first {1} questions. It can be stopped at any time; nothing is kept then.</source>
        <translation>大约还需 {0} 分钟（按前 {1} 个问题估计）。可以随时停止，停止后什么也不保留。</translation>
    </message>
    <message>
        <source>It waits to be read.</source>
        <translation>正在等待读取。</translation>
    </message>
    <message>
        <source>It was excluded; it can be included again.</source>
        <translation>它已被排除，可以重新纳入。</translation>
    </message>
    <message>
        <source>It was moved or deleted since it was read, or its drive is away.</source>
        <translation>它在被读取之后被移动或删除了，或者所在的驱动器不可用。</translation>
    </message>
    <message>
        <source>It was source {0} of this answer.</source>
        <translation>它是该回答的来源 {0}。</translation>
    </message>
    <message>
        <source>It was taken out of the knowledge base; the file itself is where it was.</source>
        <translation>它已从知识库中移除，文件本身仍在原处。</translation>
    </message>
    <message>
        <source>It was {0} before.</source>
        <translation>之前为 {0}。</translation>
    </message>
    <message>
        <source>It would be passage {0}; only the first {1} are used.</source>
        <translation>它本来是第 {0} 个段落；只采用前 {1} 个。</translation>
    </message>
    <message>
        <source>Iterative retrieval and generation (ITER-RETGEN)</source>
        <translation>迭代检索与生成（ITER-RETGEN）</translation>
    </message>
    <message>
        <source>Its options are: {0}.</source>
        <translation>可用选项：{0}。</translation>
    </message>
    <message>
        <source>Its page is used already, with what matches better there.</source>
        <translation>它所在的页面已经采用，用的是该页上更匹配的内容。</translation>
    </message>
    <message>
        <source>Its text could not be recognised. Try it again (index --retry), or add another copy.</source>
        <translation>未能识别其中的文字。请重试（index --retry），或添加另一份副本。</translation>
    </message>
    <message>
        <source>Its text is recognised after all other files, if “Read scans and pictures” is on in the settings.</source>
        <translation>如果设置中的“读取图片中的文字”已打开，会在所有其他文件之后识别其中的文字。</translation>
    </message>
    <message>
        <source>Its text was lost when the catalog was damaged. Add the file again where it is here.</source>
        <translation>目录数据库损坏时，它的文本丢失了。如果文件在这台计算机上，请重新添加。</translation>
    </message>
    <message>
        <source>Join it with `desktop-rag kb join NAME` unless it is here, then agree to send what is read: `desktop-rag kb share NAME --agree`.</source>
        <translation>如果这里还没有它，请用 `desktop-rag kb join NAME` 加入，然后同意发送读取的内容：`desktop-rag kb share NAME --agree`。</translation>
    </message>
    <message>
        <source>Keep or lose them.</source>
        <translation>请选择保留或移除。</translation>
    </message>
    <message>
        <source>Layer {0}: {1}</source>
        <translation>第 {0} 层：{1}</translation>
    </message>
    <message>
        <source>Least probability</source>
        <translation>最低概率</translation>
    </message>
    <message>
        <source>Leave out below</source>
        <translation>舍去的上限</translation>
    </message>
    <message>
        <source>Leave the window open, or run `desktop-rag kb rebuild {0}`.</source>
        <translation>请让窗口保持打开，或运行 `desktop-rag kb rebuild {0}`。</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Let Chroma listen on 127.0.0.1, behind a proxy that asks for a token or a certificate (docs/team-store.md).</source>
        <translation>请让 Chroma 只监听 127.0.0.1，并置于要求 token 或身份文件的代理之后（docs/team-store.md）。</translation>
    </message>
    <message>
        <source>Let XDG_RUNTIME_DIR name a folder that only you can enter.</source>
        <translation>请让 XDG_RUNTIME_DIR 指向一个只有你能进入的文件夹。</translation>
    </message>
    <message>
        <source>Line {0} of {1} is not what an evaluation reads.</source>
        <translation>{1} 的第 {0} 行不是评测能读的内容。</translation>
    </message>
    <message>
        <source>Lines offered</source>
        <translation>给出的行数</translation>
    </message>
    <message>
        <source>Lines that are not valid JSON were read as plain text: {0}.</source>
        <translation>有 {0} 行不是有效的 JSON，已作为纯文本读取。</translation>
    </message>
    <message>
        <source>Linked hops</source>
        <translation>关联跳转</translation>
    </message>
    <message>
        <source>Links to files outside the folder are not followed ({0} here, such as {1}); add those files themselves, or allow it in the settings (ingest.follow_links).</source>
        <translation>不会跟进指向文件夹之外文件的链接（这里有 {0} 个，例如 {1}）；请直接添加那些文件，或在设置中允许（ingest.follow_links）。</translation>
    </message>
    <message>
        <source>Links to other folders are not followed ({0} here, such as {1}); add those folders themselves.</source>
        <translation>不会跟进指向其他文件夹的链接（这里有 {0} 个，例如 {1}）；请直接添加那些文件夹。</translation>
    </message>
    <message>
        <source>Load a model there, then try again.</source>
        <translation>请在那里加载一个模型，然后重试。</translation>
    </message>
    <message>
        <source>Load it there, or choose another model.</source>
        <translation>请在那里加载它，或选择其他模型。</translation>
    </message>
    <message>
        <source>Long documents are found by summaries of what belongs together in them, too.</source>
        <translation>长文档也可以通过其中相关内容的摘要找到。</translation>
    </message>
    <message>
        <source>Long outputs of the notebook&apos;s cells were cut.</source>
        <translation>Notebook 单元格的长输出已被截断。</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>最长回答</translation>
    </message>
    <message>
        <source>Longest sentence</source>
        <translation>最长句子</translation>
    </message>
    <message>
        <source>Look at its folder, or choose another model.</source>
        <translation>请检查其文件夹，或选择其他模型。</translation>
    </message>
    <message>
        <source>Look at its name and at the connection, then try again: files that came whole are kept.</source>
        <translation>请检查模型名称和网络连接，然后重试：已完整下载的文件会保留。</translation>
    </message>
    <message>
        <source>Look for changes; if it stays away, its name is among the ignored ones.</source>
        <translation>请查找更改；如果仍然没有，说明它的名称在忽略之列。</translation>
    </message>
    <message>
        <source>Look into the server&apos;s log, and at the room on its disk.</source>
        <translation>请查看服务器的日志，以及其磁盘的剩余空间。</translation>
    </message>
    <message>
        <source>Look whether it is, and run this again if not.</source>
        <translation>请检查是否已完成，若未完成请重新运行。</translation>
    </message>
    <message>
        <source>Lower “Found nothing below” to {0} in the retrieval settings, or ask with words that stand in it.</source>
        <translation>请在检索设置中把“判为未找到的分数”降到 {0}，或用其中的词语提问。</translation>
    </message>
    <message>
        <source>Mails in mails were read to a depth of {0}.</source>
        <translation>邮件中嵌套的邮件只读取到第 {0} 层。</translation>
    </message>
    <message>
        <source>Make room and try again.</source>
        <translation>请腾出空间后重试。</translation>
    </message>
    <message>
        <source>Make room on the disk, and check that no other program holds this folder. Nothing is lost: they are made anew from the catalog.</source>
        <translation>请在磁盘上腾出空间，并检查是否有其他程序占用此文件夹。没有任何内容丢失：索引会根据目录重新生成。</translation>
    </message>
    <message>
        <source>Make room on the drive.</source>
        <translation>请在该驱动器上腾出空间。</translation>
    </message>
    <message>
        <source>Make room there and try again.</source>
        <translation>请在那里腾出空间，然后重试。</translation>
    </message>
    <message>
        <source>Make room there; indexing then goes on where it stopped.</source>
        <translation>请在那里腾出空间，索引随后会从中断处继续。</translation>
    </message>
    <message>
        <source>Make room where Ollama keeps its models, and fetch it again: it goes on where it stopped.</source>
        <translation>请在 Ollama 存放模型的磁盘上腾出空间，然后重新获取：会从中断处继续。</translation>
    </message>
    <message>
        <source>Make room, or give yourself the right to write to the data folder.</source>
        <translation>请腾出空间，或授予自己对数据文件夹的写入权限。</translation>
    </message>
    <message>
        <source>Make room, or move the data folder.</source>
        <translation>请腾出空间，或移动数据文件夹。</translation>
    </message>
    <message>
        <source>Make room: without a copy, damage costs more.</source>
        <translation>请腾出空间：没有副本，损坏造成的损失更大。</translation>
    </message>
    <message>
        <source>Make {0} GB of room and try again.</source>
        <translation>请腾出 {0} GB 空间后重试。</translation>
    </message>
    <message>
        <source>Mend it in {0}, or take it out.</source>
        <translation>请在 {0} 中改正，或将其删去。</translation>
    </message>
    <message>
        <source>Mend it, or delete it.</source>
        <translation>请修复或删除它。</translation>
    </message>
    <message>
        <source>Mend what the message names, then run the doctor again.</source>
        <translation>请按消息所述修复，然后再次运行检查。</translation>
    </message>
    <message>
        <source>Message {0} is very large; only its beginning was read.</source>
        <translation>第 {0} 封邮件很大，只读取了开头部分。</translation>
    </message>
    <message>
        <source>Message {0}: {1}</source>
        <translation>第 {0} 封邮件：{1}</translation>
    </message>
    <message>
        <source>Missing: {0}.</source>
        <translation>缺少：{0}。</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>More parts of the mail were not read.</source>
        <translation>邮件中还有其他部分未读取。</translation>
    </message>
    <message>
        <source>More parts of the mailbox were not read.</source>
        <translation>邮件存档（mbox）中还有其他部分未读取。</translation>
    </message>
    <message>
        <source>Most of the document&apos;s text is hidden; it was read as well.</source>
        <translation>文档的大部分文本是隐藏的；这些文本也已读取。</translation>
    </message>
    <message>
        <source>Most of the page&apos;s text is hidden at first; it was read as well.</source>
        <translation>网页的大部分文本起初是隐藏的；这些文本也已读取。</translation>
    </message>
    <message>
        <source>Name a JSON-lines file, gzipped or not.</source>
        <translation>请指定一个 JSON 行文件，压缩与否均可。</translation>
    </message>
    <message>
        <source>Name a file with text in it, or a folder.</source>
        <translation>请指定一个含有文字的文件，或一个文件夹。</translation>
    </message>
    <message>
        <source>Name a folder that you may write to with --data-dir.</source>
        <translation>请用 --data-dir 指定一个可写入的文件夹。</translation>
    </message>
    <message>
        <source>Name a new or an empty folder with --data-dir: a data folder is closed to others.</source>
        <translation>请用 --data-dir 指定一个新的或空的文件夹：数据文件夹不对其他用户开放。</translation>
    </message>
    <message>
        <source>Name a set with --set.</source>
        <translation>请用 --set 指定一个问题集。</translation>
    </message>
    <message>
        <source>Name another file.</source>
        <translation>请另选一个文件。</translation>
    </message>
    <message>
        <source>Name at least two.</source>
        <translation>请至少指定两份。</translation>
    </message>
    <message>
        <source>Name at most {0}.</source>
        <translation>请最多指定 {0} 份。</translation>
    </message>
    <message>
        <source>Name larger sizes, or ask fewer questions with --limit.</source>
        <translation>请指定更大的规模，或用 --limit 减少问题。</translation>
    </message>
    <message>
        <source>Name one of its answers that says something, or none for the last one.</source>
        <translation>请指定其中一条有内容的回答；不指定则取最后一条。</translation>
    </message>
    <message>
        <source>Name one of its answers, or none for the last one.</source>
        <translation>请指定其中的一个回答；不指定则为最后一个。</translation>
    </message>
    <message>
        <source>Name one of the files in it.</source>
        <translation>请指定其中的一个文件。</translation>
    </message>
    <message>
        <source>Name one of yours, or corpus and questions.</source>
        <translation>请指定您自己的一个，或语料与问题。</translation>
    </message>
    <message>
        <source>Names like it: {0}</source>
        <translation>与问题相近的名称：{0}</translation>
    </message>
    <message>
        <source>Names of at least this cosine are one entity.</source>
        <translation>余弦相似度不低于此值的名称视为同一实体。</translation>
    </message>
    <message>
        <source>New documents wait to be prepared for “{0}” by {1}: `desktop-rag prepare`.</source>
        <translation>有新文档等待由 {1} 为“{0}”做预处理：`desktop-rag prepare`。</translation>
    </message>
    <message>
        <source>No answer was looked at: this is a search alone.</source>
        <translation>没有查看回答：这里只做检索。</translation>
    </message>
    <message>
        <source>No better passage says the same.</source>
        <translation>没有排名更高且内容相同的段落。</translation>
    </message>
    <message>
        <source>No contradiction could be made: that takes two questions with different answers, each standing word for word in its passage.</source>
        <translation>无法制造矛盾：这需要两个答案不同的问题，且每个答案都逐字出现在自己的段落中。</translation>
    </message>
    <message>
        <source>No document of the knowledge base can be told to be {0}.</source>
        <translation>知识库中没有能认定为 {0} 的文档。</translation>
    </message>
    <message>
        <source>No documents to summarise are there: that takes two in one language.</source>
        <translation>没有可以概括的文档：需要两份同一语言的文档。</translation>
    </message>
    <message>
        <source>No file manager opened.</source>
        <translation>没有打开文件管理器。</translation>
    </message>
    <message>
        <source>No file that was read has these words.</source>
        <translation>已读取的文件中都没有这些词语。</translation>
    </message>
    <message>
        <source>No filter is set.</source>
        <translation>没有设置过滤条件。</translation>
    </message>
    <message>
        <source>No followed folder is kept: add the folders again with `index`.</source>
        <translation>跟踪的文件夹均未保留：请用 `index` 重新添加这些文件夹。</translation>
    </message>
    <message>
        <source>No knowledge base “{0}” is shared there.</source>
        <translation>那里没有共享名为“{0}”的知识库。</translation>
    </message>
    <message>
        <source>No language model is there.</source>
        <translation>没有可用的语言模型。</translation>
    </message>
    <message>
        <source>No language model server answers at {0}.</source>
        <translation>{0} 上没有语言模型服务器响应。</translation>
    </message>
    <message>
        <source>No passage fits the model&apos;s context, so quotes are given instead.</source>
        <translation>没有段落能放进模型的上下文，因此改为给出引文。</translation>
    </message>
    <message>
        <source>No program opened {0}.</source>
        <translation>没有程序能打开 {0}。</translation>
    </message>
    <message>
        <source>No question could be made of these documents.</source>
        <translation>无法根据这些文档拟出问题。</translation>
    </message>
    <message>
        <source>No question could be made: that takes a defined term, or a heading.</source>
        <translation>无法提出问题：需要有定义的术语或标题。</translation>
    </message>
    <message>
        <source>No question of “{0}” can be asked: their documents are gone.</source>
        <translation>“{0}”中没有可问的问题：它们的文档已不在。</translation>
    </message>
    <message>
        <source>No question set is named.</source>
        <translation>没有指定问题集。</translation>
    </message>
    <message>
        <source>No quote was found that supports this answer: check it yourself.</source>
        <translation>没有找到支持这个回答的原文，请自行核对。</translation>
    </message>
    <message>
        <source>No search for this answer found it.</source>
        <translation>为该回答所做的检索都没有找到它。</translation>
    </message>
    <message>
        <source>No shared Chroma server is set.</source>
        <translation>没有设置共享的 Chroma 服务器。</translation>
    </message>
    <message>
        <source>No socket can be made for the data folder {0}: {1}.</source>
        <translation>无法为数据文件夹 {0} 创建套接字：{1}。</translation>
    </message>
    <message>
        <source>No table of the documents answers this: a single pass is done.</source>
        <translation>文档中没有表格能回答这个问题：改为单次检索。</translation>
    </message>
    <message>
        <source>No task can be made of these documents.</source>
        <translation>这些文档无法用来出题。</translation>
    </message>
    <message>
        <source>No text to correct could be made: that takes a figure or a name in running text.</source>
        <translation>无法给出待改正的文字：需要正文中有数字或人名。</translation>
    </message>
    <message>
        <source>No text to go on with is there: that takes four sentences of running text, one after the other.</source>
        <translation>没有可以续写的文字：需要四句相连的正文。</translation>
    </message>
    <message>
        <source>No text was found in the file.</source>
        <translation>在该文件中没有找到文字。</translation>
    </message>
    <message>
        <source>No text was found in the picture.</source>
        <translation>图片中没有找到文字。</translation>
    </message>
    <message>
        <source>No text was found on the pages.</source>
        <translation>页面上没有找到文字。</translation>
    </message>
    <message>
        <source>None of its sentences is among those of its passage that the model is told.</source>
        <translation>模型只看到所在段落中的部分句子，其中没有它的句子。</translation>
    </message>
    <message>
        <source>None of its words is among those of its passage that the model is told.</source>
        <translation>模型只看到所在段落中的部分词语，其中没有它的词语。</translation>
    </message>
    <message>
        <source>Not everything fits the model&apos;s context: {0}.</source>
        <translation>内容超出了模型的上下文长度：{0}。</translation>
    </message>
    <message>
        <source>Notes can&apos;t be told to {0}.</source>
        <translation>不能对笔记执行 {0}。</translation>
    </message>
    <message>
        <source>Notes {0} of {1} are joined.</source>
        <translation>合并记录：第 {0} 组，共 {1} 组。</translation>
    </message>
    <message>
        <source>Nothing changed.</source>
        <translation>回答没有变化。</translation>
    </message>
    <message>
        <source>Nothing has to be done if you moved or deleted it.</source>
        <translation>如果是您移动或删除的，无需处理。</translation>
    </message>
    <message>
        <source>Nothing has to be done.</source>
        <translation>无需处理。</translation>
    </message>
    <message>
        <source>Nothing is known of {0}.</source>
        <translation>没有关于 {0} 的记录。</translation>
    </message>
    <message>
        <source>Nothing is prepared for {0}.</source>
        <translation>没有名为 {0} 的预处理方式。</translation>
    </message>
    <message>
        <source>Nothing is prepared for “{0}” yet: passages are found by their own text alone. Prepare the knowledge base in its menu, or by `desktop-rag prepare {1}`.</source>
        <translation>还没有为“{0}”做过预处理：只按段落本身的文字查找。请在知识库菜单中预处理，或运行 `desktop-rag prepare {1}`。</translation>
    </message>
    <message>
        <source>Nothing reads the candidates a second time.</source>
        <translation>没有对候选段落进行重排。</translation>
    </message>
    <message>
        <source>Nothing says which passage is meant.</source>
        <translation>没有说明指的是哪个段落。</translation>
    </message>
    <message>
        <source>Nothing that the model wrote at last is supported: these are its notes.</source>
        <translation>模型最后写的内容都没有依据：这里是它的记录。</translation>
    </message>
    <message>
        <source>Nothing that the model wrote is supported: quotes are given instead.</source>
        <translation>模型写的内容都没有依据：改为给出引文。</translation>
    </message>
    <message>
        <source>Nothing that was found seems to answer this; the search is widened.</source>
        <translation>找到的内容似乎都不能回答这个问题；正在扩大检索。</translation>
    </message>
    <message>
        <source>Nothing was sent to the Chroma server: you took your consent back. What others wrote was fetched.</source>
        <translation>没有向 Chroma 服务器发送任何内容：您撤回了同意。已取得他人写入的内容。</translation>
    </message>
    <message>
        <source>Of derived texts no {0} can be shown.</source>
        <translation>派生文本没有可以显示的 {0}。</translation>
    </message>
    <message>
        <source>Of its text {0}% is told: the best sentences.</source>
        <translation>其文字的 {0}% 会告诉模型：最相关的句子。</translation>
    </message>
    <message>
        <source>Of its text {0}% is told: the most useful words.</source>
        <translation>其文字的 {0}% 会告诉模型：最有用的词语。</translation>
    </message>
    <message>
        <source>Ollama at {0} answers oddly: its reply is too long or not in its usual form.</source>
        <translation>{0} 上的 Ollama 回应异常：回复过长，或不是通常的格式。</translation>
    </message>
    <message>
        <source>Ollama at {0} did not say what it is.</source>
        <translation>位于 {0} 的 Ollama 没有说明自己的身份。</translation>
    </message>
    <message>
        <source>Ollama at {0} takes too long to answer.</source>
        <translation>位于 {0} 的 Ollama 响应超时。</translation>
    </message>
    <message>
        <source>Ollama broke off in the middle of its answer.</source>
        <translation>Ollama 在回答中途断开。</translation>
    </message>
    <message>
        <source>Ollama could not be asked.</source>
        <translation>无法询问 Ollama。</translation>
    </message>
    <message>
        <source>Ollama could not go on with {0}: {1}.</source>
        <translation>Ollama 无法继续使用 {0}：{1}。</translation>
    </message>
    <message>
        <source>Ollama does not answer at {0}.</source>
        <translation>位于 {0} 的 Ollama 没有响应。</translation>
    </message>
    <message>
        <source>Ollama does not reach its library on the internet to fetch {0}.</source>
        <translation>Ollama 无法连接互联网上的模型库来获取 {0}。</translation>
    </message>
    <message>
        <source>Ollama ended again by itself, with status {0}.</source>
        <translation>Ollama 启动后自行退出，状态为 {0}。</translation>
    </message>
    <message>
        <source>Ollama has no model that can answer.</source>
        <translation>Ollama 没有可用于回答的模型。</translation>
    </message>
    <message>
        <source>Ollama is busy with other requests.</source>
        <translation>Ollama 正忙于处理其他请求。</translation>
    </message>
    <message>
        <source>Ollama is set to {0}, which is another computer.</source>
        <translation>Ollama 设置为 {0}，那是另一台电脑。</translation>
    </message>
    <message>
        <source>Ollama is set to {0}, which is another computer: questions and passages of your documents would be sent there.</source>
        <translation>Ollama 的地址设为 {0}，那是另一台电脑：问题和文档段落会发送到那里。</translation>
    </message>
    <message>
        <source>Ollama passed the question on to {0}, though its list has {1} on this computer.</source>
        <translation>Ollama 把问题转给了 {0}，而它的列表里 {1} 是本机上的模型。</translation>
    </message>
    <message>
        <source>Ollama reports an error: {0}.</source>
        <translation>Ollama 报告错误：{0}。</translation>
    </message>
    <message>
        <source>Ollama takes no more requests for now: {0}.</source>
        <translation>Ollama 目前不再接受请求：{0}。</translation>
    </message>
    <message>
        <source>Ollama was started and does not answer yet.</source>
        <translation>Ollama 已启动，但尚无响应。</translation>
    </message>
    <message>
        <source>Ollama&apos;s library has no model {0}.</source>
        <translation>Ollama 模型库中没有 {0}。</translation>
    </message>
    <message>
        <source>Ollama&apos;s own script is fetched and run. It asks for your password, puts Ollama below /usr/local, makes a user “ollama” for it, has the system start it now and at every start, and installs a driver where it finds an NVIDIA GPU without one.</source>
        <translation>下载并运行 Ollama 官方脚本。它会要求输入密码，把 Ollama 放在 /usr/local 下，为它创建用户“ollama”，让系统立即启动它并在每次开机时启动；如发现 NVIDIA GPU 没有驱动，还会安装驱动。</translation>
    </message>
    <message>
        <source>One file could not be read: the answer may stand in it.</source>
        <translation>有一个文件无法读取：答案可能就在其中。</translation>
    </message>
    <message>
        <source>One file is not read yet, {0}: the answer may stand in it.</source>
        <translation>还有一个文件尚未读取（{0}），答案可能就在其中。</translation>
    </message>
    <message>
        <source>One passage of this score makes a search correct.</source>
        <translation>有一个段落达到此分数，检索就判为正确。</translation>
    </message>
    <message>
        <source>One search, few passages. For a slow computer.</source>
        <translation>一次检索，少量段落。适合较慢的电脑。</translation>
    </message>
    <message>
        <source>One search; linked passages where several steps are needed.</source>
        <translation>一次检索；需要多步时，再跟随相关联的段落。</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>一步</translation>
    </message>
    <message>
        <source>Only a part of its passage fits the context of {0} tokens, without this.</source>
        <translation>{0} 个 token 的上下文只放得下它所在段落的一部分，其中不含它。</translation>
    </message>
    <message>
        <source>Only a query that reads may be written.</source>
        <translation>只能写读取数据的查询。</translation>
    </message>
    <message>
        <source>Only one query may be written.</source>
        <translation>只能写一条查询。</translation>
    </message>
    <message>
        <source>Only the first {0} pages were read.</source>
        <translation>只读取了前 {0} 个页面。</translation>
    </message>
    <message>
        <source>Only whole answers can be kept: this one was stopped, failed, or found nothing.</source>
        <translation>只能保留完整的回答：此回答被停止、失败，或没有找到任何内容。</translation>
    </message>
    <message>
        <source>Only {0} MB are free on the drive of {1}.</source>
        <translation>{1} 所在的磁盘仅剩 {0} MB 可用空间。</translation>
    </message>
    <message>
        <source>Only {0} of {1} documents of “{2}” are prepared for “{3}”: its figures are lower than they may be.</source>
        <translation>“{2}”的 {1} 个文档中只有 {0} 个已为“{3}”预处理：它的数字可能比实际能达到的低。</translation>
    </message>
    <message>
        <source>Open it from the folder that it lies in.</source>
        <translation>请从它所在的文件夹中打开。</translation>
    </message>
    <message>
        <source>Open it in its own program and save it anew, or fetch it again.</source>
        <translation>请用相应的程序打开并重新保存，或重新获取该文件。</translation>
    </message>
    <message>
        <source>Open it in its own program to see what is in it.</source>
        <translation>请用相应的程序打开，查看其中的内容。</translation>
    </message>
    <message>
        <source>Open its file, and read it there.</source>
        <translation>请打开文件，直接阅读。</translation>
    </message>
    <message>
        <source>Open its passages to see what was read; words in pictures need OCR.</source>
        <translation>请打开它的段落，看看读到了什么；图片中的文字需要 OCR。</translation>
    </message>
    <message>
        <source>Open the file itself.</source>
        <translation>请直接打开文件。</translation>
    </message>
    <message>
        <source>Open the file to see whether there is text in it, and read it again.</source>
        <translation>请打开文件看看其中是否有文字，然后重新读取。</translation>
    </message>
    <message>
        <source>Other knowledge bases</source>
        <translation>其他知识库</translation>
    </message>
    <message>
        <source>Other programs may ask it, or not.</source>
        <translation>其他程序可以查询它，或者不可以。</translation>
    </message>
    <message>
        <source>Others may look into {0}.</source>
        <translation>其他用户可以查看 {0}。</translation>
    </message>
    <message>
        <source>Page {0} is damaged.</source>
        <translation>第 {0} 页已损坏。</translation>
    </message>
    <message>
        <source>Page {0} was hard to read.</source>
        <translation>第 {0} 页看不清，文字可能有误。</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>段落对</translation>
    </message>
    <message>
        <source>Passage weight</source>
        <translation>段落权重</translation>
    </message>
    <message>
        <source>Passage {0} of “{1}” says the same and stands higher.</source>
        <translation>“{1}”的第 {0} 个段落内容相同，且排名更高。</translation>
    </message>
    <message>
        <source>Passages</source>
        <translation>段落</translation>
    </message>
    <message>
        <source>Passages a follow-up</source>
        <translation>每个追问的段落</translation>
    </message>
    <message>
        <source>Passages a hop</source>
        <translation>每跳的段落</translation>
    </message>
    <message>
        <source>Passages a search</source>
        <translation>每次检索的段落</translation>
    </message>
    <message>
        <source>Passages are clustered after UMAP, as in the paper.</source>
        <translation>与论文一样，段落先经 UMAP 降维再聚类。</translation>
    </message>
    <message>
        <source>Passages are clustered by principal components: UMAP (the extra “raptor”) is not installed.</source>
        <translation>段落按主成分聚类：没有安装 UMAP（可选组件“raptor”）。</translation>
    </message>
    <message>
        <source>Passages are found by the people, places and terms that join them.</source>
        <translation>通过把段落连在一起的人物、地点和术语来找到段落。</translation>
    </message>
    <message>
        <source>Passages in all</source>
        <translation>段落总数</translation>
    </message>
    <message>
        <source>Passages of the answer</source>
        <translation>回答的段落</translation>
    </message>
    <message>
        <source>Passages that differ more from each other were chosen instead.</source>
        <translation>选取了彼此差别更大的段落。</translation>
    </message>
    <message>
        <source>Passages that the summary is written from: {0}.</source>
        <translation>写概括所依据的段落：{0} 个。</translation>
    </message>
    <message>
        <source>Passages without the answer could not be shown alone: every other passage holds it as well.</source>
        <translation>无法只出示不含答案的段落：其他每个段落也都含有答案。</translation>
    </message>
    <message>
        <source>Pieces of one passage count once: it would be passage {0}; only the first {1} are used.</source>
        <translation>同一段落的小块只计一次：它本来是第 {0} 个段落；只采用前 {1} 个。</translation>
    </message>
    <message>
        <source>Prepare it, or choose other ways.</source>
        <translation>请先做预处理，或选择其他方式。</translation>
    </message>
    <message>
        <source>Previous sentence</source>
        <translation>上一句</translation>
    </message>
    <message>
        <source>Previous window</source>
        <translation>上一窗口</translation>
    </message>
    <message>
        <source>Prompt and answer took {0} tokens, more than {1}&apos;s context of {2}: while it wrote, the model lost sight of the beginning. {3}</source>
        <translation>提示和回答共用了 {0} 个 token，超过 {1} 的上下文长度 {2}：模型在书写时丢失了开头的内容。{3}</translation>
    </message>
    <message>
        <source>Propositions</source>
        <translation>命题</translation>
    </message>
    <message>
        <source>Queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Query to document</source>
        <translation>查询扩写成文档（query2doc）</translation>
    </message>
    <message>
        <source>Questions are moved, before they are compared with passages, towards what the reranker puts first. It is learnt from questions that are made of your documents, and kept only where more is found by it on questions that it has not learnt from.</source>
        <translation>在与段落比较之前，把问题的向量移向重排模型排在前面的内容。它从根据您的文档拟定的问题中学习，只有在没有学过的问题上能找到更多时才保留。</translation>
    </message>
    <message>
        <source>Questions left out: {0}. Each must have an answer, and one passage that is still there.</source>
        <translation>未使用的问题：{0} 个。每个问题必须有答案，并且有一个仍然存在的段落。</translation>
    </message>
    <message>
        <source>Questions left out: {0}. Their documents or their knowledge bases are no longer there.</source>
        <translation>略去的问题：{0} 个。它们的文档或知识库已不在。</translation>
    </message>
    <message>
        <source>Questions that each passage answers are found beside its own text.</source>
        <translation>除段落本身的文字外，还按它能回答的问题来查找。</translation>
    </message>
    <message>
        <source>Questions that were in the set already: {0}.</source>
        <translation>问题集中已有的问题：{0} 个。</translation>
    </message>
    <message>
        <source>Questions whose documents have changed since: {0}. Any passage of such a document counts as found.</source>
        <translation>文档在此后有改动的问题：{0} 个。找到这类文档的任何段落都算找到。</translation>
    </message>
    <message>
        <source>Quick, good English</source>
        <translation>速度快，英语好</translation>
    </message>
    <message>
        <source>Quotes can&apos;t be treated as {0}.</source>
        <translation>无法按“{0}”处理引文。</translation>
    </message>
    <message>
        <source>Raise “Candidates” to {0} in the retrieval settings: then it is passage {1}.</source>
        <translation>请在检索设置中把“候选段落”提高到 {0}：它就会成为第 {1} 个段落。</translation>
    </message>
    <message>
        <source>Raise “Context length” to {0} in Ollama&apos;s settings, if the model has so much: then it fits.</source>
        <translation>如果模型支持，请在 Ollama 设置中把“上下文长度”提高到 {0}：就放得下了。</translation>
    </message>
    <message>
        <source>Raise “Longest text” (ingest.max_characters) in the settings, and try again.</source>
        <translation>请在设置中调高“最长文本”（ingest.max_characters），然后重试。</translation>
    </message>
    <message>
        <source>Raise “Near-duplicate” to 1 in the retrieval settings: it is passage {0} then.</source>
        <translation>请在检索设置中把“近似重复”提高到 1：它就会成为第 {0} 个段落。</translation>
    </message>
    <message>
        <source>Rank weight</source>
        <translation>名次的权重</translation>
    </message>
    <message>
        <source>Read a round</source>
        <translation>每轮阅读</translation>
    </message>
    <message>
        <source>Read a second time, it goes from number {0} to number {1}.</source>
        <translation>重排后，它从第 {0} 变为第 {1}。</translation>
    </message>
    <message>
        <source>Read a second time, it stays number {0}.</source>
        <translation>重排后，它仍是第 {0}。</translation>
    </message>
    <message>
        <source>Read the other passage: it says the same.</source>
        <translation>请读另一个段落：内容相同。</translation>
    </message>
    <message>
        <source>Reader</source>
        <translation>写回答的方式</translation>
    </message>
    <message>
        <source>Readers of documents are held by Python&apos;s hooks and limits; C code by nothing else.</source>
        <translation>读取文档的进程由 Python 的钩子和资源限制约束；其中的 C 代码没有其他约束。</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>阅读</translation>
    </message>
    <message>
        <source>Reading the file broke off ({0}).</source>
        <translation>读取文件时中断（{0}）。</translation>
    </message>
    <message>
        <source>Reading the file takes more memory than it may.</source>
        <translation>读取此文件所需的内存超出限制。</translation>
    </message>
    <message>
        <source>Reading the file takes more than {0} MB of memory.</source>
        <translation>读取此文件需要超过 {0} MB 内存。</translation>
    </message>
    <message>
        <source>Reading the file took longer than {0} seconds.</source>
        <translation>读取此文件超过了 {0} 秒。</translation>
    </message>
    <message>
        <source>Reflection tokens</source>
        <translation>反思 token</translation>
    </message>
    <message>
        <source>Relevance</source>
        <translation>相关性</translation>
    </message>
    <message>
        <source>Retrieve above</source>
        <translation>检索的下限</translation>
    </message>
    <message>
        <source>Retriever adaptation</source>
        <translation>检索器适配</translation>
    </message>
    <message>
        <source>Rewrite</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Router</source>
        <translation>路由</translation>
    </message>
    <message>
        <source>Rows of “{0}” were read, all of the table&apos;s.</source>
        <translation>已读取“{0}”中表格的全部行。</translation>
    </message>
    <message>
        <source>Run `desktop-rag recover`, or open the window, which offers it: it keeps all that can still be read, and says what is lost.</source>
        <translation>请运行 `desktop-rag recover`，或打开窗口按提示恢复：它会保留所有还能读出的内容，并说明丢失了什么。</translation>
    </message>
    <message>
        <source>Run `ollama pull llama3.2:3b`, or another model that suits this computer.</source>
        <translation>请运行 `ollama pull llama3.2:3b`，或选择适合这台电脑的其他模型。</translation>
    </message>
    <message>
        <source>Run `ollama pull {0}`, or choose another model.</source>
        <translation>请运行 `ollama pull {0}`，或选择其他模型。</translation>
    </message>
    <message>
        <source>Run `ollama pull {0}`.</source>
        <translation>请运行 `ollama pull {0}`。</translation>
    </message>
    <message>
        <source>Run `ollama serve` in a terminal to see why.</source>
        <translation>请在终端运行 `ollama serve` 查看原因。</translation>
    </message>
    <message>
        <source>Run `ollama signin`, or choose a model that is on this computer.</source>
        <translation>请运行 `ollama signin`，或选择本机上的模型。</translation>
    </message>
    <message>
        <source>Run: chmod 700 {0}</source>
        <translation>请运行：chmod 700 {0}</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>采样数</translation>
    </message>
    <message>
        <source>Save a copy without a password and add that one.</source>
        <translation>请另存一份不带密码的副本，再添加它。</translation>
    </message>
    <message>
        <source>Save it as PDF, Word, HTML or plain text and add that one.</source>
        <translation>请另存为 PDF、Word、HTML 或纯文本，再添加它。</translation>
    </message>
    <message>
        <source>Save more of them, or have some proposed.</source>
        <translation>请多保存几个，或让程序提议一些。</translation>
    </message>
    <message>
        <source>Save the attached mail as a file of its own and add that one.</source>
        <translation>请把附带的邮件另存为单独的文件，然后添加它。</translation>
    </message>
    <message>
        <source>Say on or off.</source>
        <translation>请使用 on 或 off。</translation>
    </message>
    <message>
        <source>Say on, off or default.</source>
        <translation>请写 on、off 或 default。</translation>
    </message>
    <message>
        <source>Search below</source>
        <translation>检索的上限</translation>
    </message>
    <message>
        <source>Search for it, or open its file&apos;s passages, again.</source>
        <translation>请重新检索，或重新打开其文件的段落。</translation>
    </message>
    <message>
        <source>Search in its file alone, with the filter {0}: it is passage {1}.</source>
        <translation>请用过滤条件 {0} 只在其文件中检索：它是第 {1} 个段落。</translation>
    </message>
    <message>
        <source>Search without the filter, or with one that lets its file pass.</source>
        <translation>请去掉过滤条件，或改用允许其文件的条件。</translation>
    </message>
    <message>
        <source>Search without the filter: then it is passage {0}.</source>
        <translation>请去掉过滤条件：它就会成为第 {0} 个段落。</translation>
    </message>
    <message>
        <source>Searches</source>
        <translation>检索次数</translation>
    </message>
    <message>
        <source>Searches compare every vector until it can; look for memory and for another Desktop RAG.</source>
        <translation>在此之前，检索会逐一比较所有向量；请检查内存是否充足，以及是否另有 Desktop RAG 在运行。</translation>
    </message>
    <message>
        <source>See `desktop-rag eval --help`.</source>
        <translation>请参阅 `desktop-rag eval --help`。</translation>
    </message>
    <message>
        <source>See `desktop-rag kb --help`.</source>
        <translation>请参阅 `desktop-rag kb --help`。</translation>
    </message>
    <message>
        <source>See that Ollama itself runs there (a container&apos;s or a tunnel&apos;s port answers without it), then try again.</source>
        <translation>请确认 Ollama 确实在那里运行（容器或隧道的端口在没有 Ollama 时也会接受连接），然后重试。</translation>
    </message>
    <message>
        <source>See that Ollama runs, and fetch it again: it goes on where it stopped.</source>
        <translation>请确认 Ollama 正在运行，然后重新获取：会从中断处继续。</translation>
    </message>
    <message>
        <source>See that the language model server itself runs there, then try again.</source>
        <translation>请确认语言模型服务器本身正在那里运行，然后重试。</translation>
    </message>
    <message>
        <source>See which are: `desktop-rag kb shared`.</source>
        <translation>查看有哪些：`desktop-rag kb shared`。</translation>
    </message>
    <message>
        <source>Segments</source>
        <translation>片段</translation>
    </message>
    <message>
        <source>Select some first.</source>
        <translation>请先选中文字。</translation>
    </message>
    <message>
        <source>Self-Ask</source>
        <translation>自问自答（Self-Ask）</translation>
    </message>
    <message>
        <source>Self-reflection (Self-RAG)</source>
        <translation>自我反思（Self-RAG）</translation>
    </message>
    <message>
        <source>Sentences</source>
        <translation>句子</translation>
    </message>
    <message>
        <source>Sentences that are the same word for word: {0} (of {1}).</source>
        <translation>逐字相同的句子：{0} 句（共 {1}）。</translation>
    </message>
    <message>
        <source>Sentences that no passage supports were left out: {0}.</source>
        <translation>没有段落支持的句子已略去：{0} 句。</translation>
    </message>
    <message>
        <source>Set that server again, or share the knowledge base anew on this one.</source>
        <translation>请重新设置那台服务器，或在这台上重新共享该知识库。</translation>
    </message>
    <message>
        <source>Set “Diversity (MMR λ)” to 1 in the retrieval settings: it is passage {0} then.</source>
        <translation>请在检索设置中把“多样性（MMR λ）”设为 1：它就会成为第 {0} 个段落。</translation>
    </message>
    <message>
        <source>Set “Half-life of documents” to 0 in the retrieval settings: it is passage {0} then.</source>
        <translation>在检索设置中把“文档半衰期”设为 0：这样它是第 {0} 个段落。</translation>
    </message>
    <message>
        <source>Several queries</source>
        <translation>多种说法</translation>
    </message>
    <message>
        <source>Several steps</source>
        <translation>多步</translation>
    </message>
    <message>
        <source>Several wordings, linked passages, a checked answer. Slow.</source>
        <translation>多种问法、关联段落、核查回答。较慢。</translation>
    </message>
    <message>
        <source>Share it with `desktop-rag kb share NAME`.</source>
        <translation>用 `desktop-rag kb share NAME` 共享它。</translation>
    </message>
    <message>
        <source>Sheets that are hidden in the workbook were read as well: {0}.</source>
        <translation>工作簿中隐藏的工作表也已读取：{0}。</translation>
    </message>
    <message>
        <source>Single pass</source>
        <translation>单次检索</translation>
    </message>
    <message>
        <source>Single pass, chain of thought</source>
        <translation>单次检索加思维链</translation>
    </message>
    <message>
        <source>Sizes are those of a corpus.</source>
        <translation>规模是语料的规模。</translation>
    </message>
    <message>
        <source>Sizes below {0} are left out: so many passages the questions need.</source>
        <translation>略去小于 {0} 的规模：问题需要这么多段落。</translation>
    </message>
    <message>
        <source>Slide {0} is damaged and was not read.</source>
        <translation>第 {0} 张幻灯片已损坏，未能读取。</translation>
    </message>
    <message>
        <source>Small and quick, for computers with little memory</source>
        <translation>小巧快速，适合内存较小的电脑</translation>
    </message>
    <message>
        <source>Small, for computers with little memory</source>
        <translation>体积小，适合内存较小的电脑</translation>
    </message>
    <message>
        <source>Some chunks have no vector of the embedding model in use.</source>
        <translation>部分文本块没有当前嵌入模型的向量。</translation>
    </message>
    <message>
        <source>Somebody shares a knowledge base “{0}” there already.</source>
        <translation>那里已有人共享了知识库“{0}”。</translation>
    </message>
    <message>
        <source>Something went wrong in the program itself.</source>
        <translation>程序自身出了问题。</translation>
    </message>
    <message>
        <source>Source {0}: {1}</source>
        <translation>来源 {0}：{1}</translation>
    </message>
    <message>
        <source>Split the file, or raise the limit in the settings.</source>
        <translation>请拆分文件，或在设置中提高上限。</translation>
    </message>
    <message>
        <source>Split the file, or raise the time limit in the settings.</source>
        <translation>请拆分文件，或在设置中提高时间上限。</translation>
    </message>
    <message>
        <source>Split the file, or raise “Longest text” (ingest.max_characters) in the settings.</source>
        <translation>请拆分文件，或在设置中调高“最长文本”（ingest.max_characters）。</translation>
    </message>
    <message>
        <source>Start Ollama (or install it from ollama.com), then try again.</source>
        <translation>请启动 Ollama（或从 ollama.com 安装），然后重试。</translation>
    </message>
    <message>
        <source>Start Ollama again, and update it; see in the settings that its address is right.</source>
        <translation>请重新启动并更新 Ollama，并在设置中检查其地址是否正确。</translation>
    </message>
    <message>
        <source>Start Ollama and get a model for it.</source>
        <translation>请启动 Ollama 并下载一个模型。</translation>
    </message>
    <message>
        <source>Start Ollama yourself: it is found by itself.</source>
        <translation>请自行启动 Ollama：程序会自动识别。</translation>
    </message>
    <message>
        <source>Start Ollama, or install it from ollama.com: it is found by itself.</source>
        <translation>启动 Ollama（或从 ollama.com 安装）后会自动识别。</translation>
    </message>
    <message>
        <source>Start it (in LM Studio: Developer, Start server), then try again.</source>
        <translation>请启动它（在 LM Studio 中：Developer → Start server），然后重试。</translation>
    </message>
    <message>
        <source>Start it again, and update it; see in the settings that its address is right.</source>
        <translation>请重新启动并更新它；并在设置中确认其地址正确。</translation>
    </message>
    <message>
        <source>Start it there, or set the address to this one.</source>
        <translation>请在那台电脑上启动它，或把地址改为这台电脑。</translation>
    </message>
    <message>
        <source>Start it without a key (LM Studio: switch “Require authentication” off; llama.cpp and vLLM: leave --api-key out).</source>
        <translation>请在不设密钥的情况下启动它（LM Studio：关闭“Require authentication”；llama.cpp 和 vLLM：不要使用 --api-key）。</translation>
    </message>
    <message>
        <source>Start it, or empty the setting “Shared Chroma server”.</source>
        <translation>请启动它，或清空设置“共享 Chroma 服务器”。</translation>
    </message>
    <message>
        <source>Start the server, or look at the network; answers come from the copy here.</source>
        <translation>请启动服务器或检查网络；回答来自本机的副本。</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>退一步</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Strip</source>
        <translation>每条的句子</translation>
    </message>
    <message>
        <source>Strips kept</source>
        <translation>保留的条数</translation>
    </message>
    <message>
        <source>Summaries</source>
        <translation>摘要</translation>
    </message>
    <message>
        <source>Summaries are made of the passages&apos; own sentences, without a language model.</source>
        <translation>不用语言模型，摘要由段落自己的句子组成。</translation>
    </message>
    <message>
        <source>Summaries are written by the language model.</source>
        <translation>摘要由语言模型撰写。</translation>
    </message>
    <message>
        <source>Summaries of documents are there as soon as they are asked for.</source>
        <translation>要看文档摘要时，马上就有。</translation>
    </message>
    <message>
        <source>Summaries of the passages: {0}.</source>
        <translation>段落的概括：{0}。</translation>
    </message>
    <message>
        <source>Summaries of {0} of {1} passages</source>
        <translation>{1} 个段落中 {0} 个的概括</translation>
    </message>
    <message>
        <source>Summary of whole documents</source>
        <translation>通读概括</translation>
    </message>
    <message>
        <source>Support</source>
        <translation>支持程度</translation>
    </message>
    <message>
        <source>Sure without a model</source>
        <translation>无需模型的把握</translation>
    </message>
    <message>
        <source>Sureness</source>
        <translation>把握</translation>
    </message>
    <message>
        <source>Switch Ollama&apos;s cloud off (OLLAMA_NO_CLOUD=1 where it is started), or choose another model.</source>
        <translation>请关闭 Ollama 的云端模型（启动它时设置 OLLAMA_NO_CLOUD=1），或选择其他模型。</translation>
    </message>
    <message>
        <source>Synonyms</source>
        <translation>同义词</translation>
    </message>
    <message>
        <source>Table of contents (Prompt-RAG)</source>
        <translation>目录（Prompt-RAG）</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Take it out first, `desktop-rag remove PATH`, or index without --worker.</source>
        <translation>请先用 `desktop-rag remove PATH` 移除它，或不带 --worker 建立索引。</translation>
    </message>
    <message>
        <source>Take the consent back on the settings&apos; page “Privacy” if you did not mean it.</source>
        <translation>如果这不是您的本意，请在设置的“隐私”页撤回许可。</translation>
    </message>
    <message>
        <source>Take the consent back with allow_remote=false if you did not mean it.</source>
        <translation>如果这不是您的本意，请用 allow_remote=false 撤回许可。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Text is looked for on the first {0} pictures only; the file shows more.</source>
        <translation>只在前 {0} 张图片上查找文字，文件中还有更多图片。</translation>
    </message>
    <message>
        <source>Text recognition is on, off, or as the settings say.</source>
        <translation>文字识别可以打开、关闭，或按设置进行。</translation>
    </message>
    <message>
        <source>Text that the document hides was not read.</source>
        <translation>文档中隐藏的文本未读取。</translation>
    </message>
    <message>
        <source>Text that the page hides was not read.</source>
        <translation>网页中隐藏的文本未读取。</translation>
    </message>
    <message>
        <source>Texts are sent to {0}.</source>
        <translation>文本会发送到 {0}。</translation>
    </message>
    <message>
        <source>Texts may be sent to {0}, where a model there answers.</source>
        <translation>文本可能会发送到 {0}（当那里的模型回答时）。</translation>
    </message>
    <message>
        <source>Texts of some knowledge bases are sent to {0}.</source>
        <translation>部分知识库的文本会发送到 {0}。</translation>
    </message>
    <message>
        <source>The Desktop RAG that was answering ended.</source>
        <translation>正在回答的 Desktop RAG 已结束。</translation>
    </message>
    <message>
        <source>The Desktop RAG that was doing this ended before it said that it is done.</source>
        <translation>执行此操作的 Desktop RAG 在报告完成之前就已结束。</translation>
    </message>
    <message>
        <source>The PDF is damaged.</source>
        <translation>PDF 已损坏。</translation>
    </message>
    <message>
        <source>The age of files does not count.</source>
        <translation>不考虑文件的新旧。</translation>
    </message>
    <message>
        <source>The age of its file leaves it {0}% of its score: it goes from number {1} to number {2}.</source>
        <translation>按文件日期，它保留 {0}% 的得分：从第 {1} 位变为第 {2} 位。</translation>
    </message>
    <message>
        <source>The age of its file leaves it {0}% of its score: it stays number {1}.</source>
        <translation>按文件日期，它保留 {0}% 的得分：仍是第 {1} 位。</translation>
    </message>
    <message>
        <source>The answer did not come to its end.</source>
        <translation>该回答没有完成。</translation>
    </message>
    <message>
        <source>The answer has changed.</source>
        <translation>回答有变化。</translation>
    </message>
    <message>
        <source>The answer is not checked.</source>
        <translation>回答未经核对。</translation>
    </message>
    <message>
        <source>The answer now cites {0} and {1}.</source>
        <translation>回答现在引用了 {0} 和 {1}。</translation>
    </message>
    <message>
        <source>The answer now cites {0}, {1} and others.</source>
        <translation>回答现在引用了 {0}、{1} 等文件。</translation>
    </message>
    <message>
        <source>The answer now cites {0}.</source>
        <translation>回答现在引用了 {0}。</translation>
    </message>
    <message>
        <source>The answer quotes other passages, without a language model.</source>
        <translation>没有语言模型，回答引用的是其他段落。</translation>
    </message>
    <message>
        <source>The answer rests on it, and cites it.</source>
        <translation>回答以它为依据，并引用了它。</translation>
    </message>
    <message>
        <source>The answer says that your documents do not hold what was asked for.</source>
        <translation>回答说您的文档中没有所问的内容。</translation>
    </message>
    <message>
        <source>The answer was cut at {0} tokens: “Longest answer” sets how many.</source>
        <translation>回答在 {0} 个 token 处被截断：上限由“回答长度上限”设定。</translation>
    </message>
    <message>
        <source>The answer was ended after {0} segments.</source>
        <translation>回答在 {0} 个片段后结束。</translation>
    </message>
    <message>
        <source>The archive has more than {0} files; the others were not read.</source>
        <translation>压缩包中的文件超过 {0} 个；其余的未读取。</translation>
    </message>
    <message>
        <source>The archive has too many files to be read to its end.</source>
        <translation>压缩包中的文件太多，无法读取到末尾。</translation>
    </message>
    <message>
        <source>The archive is damaged or was not written to its end.</source>
        <translation>压缩包已损坏或没有写完。</translation>
    </message>
    <message>
        <source>The archive is encrypted in a way that is not read (AES).</source>
        <translation>压缩包的加密方式不受支持（AES）。</translation>
    </message>
    <message>
        <source>The attachment {0} was not read.</source>
        <translation>附件 {0} 未读取。</translation>
    </message>
    <message>
        <source>The attachment {0} was not read: {1}</source>
        <translation>附件 {0} 未读取：{1}</translation>
    </message>
    <message>
        <source>The attachment {0}: {1}</source>
        <translation>附件 {0}：{1}</translation>
    </message>
    <message>
        <source>The best sentences of the passages: {0}.</source>
        <translation>段落中最相关的句子：{0}。</translation>
    </message>
    <message>
        <source>The book is damaged.</source>
        <translation>电子读本已损坏。</translation>
    </message>
    <message>
        <source>The book is protected: only its shop&apos;s reader opens it.</source>
        <translation>电子读本受保护：只有发行方的阅读器才能打开。</translation>
    </message>
    <message>
        <source>The built-in questions measure answers, and no model judges them.</source>
        <translation>内置的问题只用来测量回答，不由模型评判。</translation>
    </message>
    <message>
        <source>The built-in reader does not read this question: no passage is followed.</source>
        <translation>内置阅读模型读不懂这个问题：不再沿段落继续查找。</translation>
    </message>
    <message>
        <source>The built-in reader does not read this question: one search is done.</source>
        <translation>内置阅读模型读不懂这个问题：只检索一次。</translation>
    </message>
    <message>
        <source>The built-in reader picks, of {0}: {1}</source>
        <translation>内置阅读器从 {0} 个中选出：{1}</translation>
    </message>
    <message>
        <source>The catalog is damaged and was left as it is.</source>
        <translation>目录数据库已损坏，未作改动。</translation>
    </message>
    <message>
        <source>The catalog is damaged: the export holds what can still be read of it. Vectors that are missing are made again by the import.</source>
        <translation>目录数据库已损坏：导出的文件包含其中仍可读取的内容。缺少的向量会在导入时重新生成。</translation>
    </message>
    <message>
        <source>The catalog {0} cannot be opened for writing.</source>
        <translation>无法以写入方式打开目录数据库 {0}。</translation>
    </message>
    <message>
        <source>The catalog {0} is damaged and was left as it is.</source>
        <translation>目录数据库 {0} 已损坏，已保持原样。</translation>
    </message>
    <message>
        <source>The collection on the shared Chroma server names an embedding function, which Chroma would load and run on this computer.</source>
        <translation>共享 Chroma 服务器上的集合指定了嵌入函数，Chroma 会在本机加载并运行它。</translation>
    </message>
    <message>
        <source>The conversation has gone on: only its last answer can be continued.</source>
        <translation>对话已经继续：只有最后一个回答可以继续写。</translation>
    </message>
    <message>
        <source>The conversation has no message {0}.</source>
        <translation>对话中没有消息 {0}。</translation>
    </message>
    <message>
        <source>The damaged catalog still holds text. It is kept as {0}; delete it when you do not need it. It goes by itself when you remove something from a knowledge base.</source>
        <translation>损坏的目录数据库中仍有文本。它保留为 {0}；不需要时请将其删除。从知识库中移除内容时，它会自动删除。</translation>
    </message>
    <message>
        <source>The data folder is open under other settings of models or Chroma.</source>
        <translation>数据文件夹正以不同的模型或 Chroma 设置打开。</translation>
    </message>
    <message>
        <source>The data folder {0} can&apos;t be used: {1}.</source>
        <translation>无法使用数据文件夹 {0}：{1}。</translation>
    </message>
    <message>
        <source>The database says: {0}</source>
        <translation>数据库提示：{0}</translation>
    </message>
    <message>
        <source>The default is {0}.</source>
        <translation>默认值为 {0}。</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>磁盘已满。</translation>
    </message>
    <message>
        <source>The document has no page {0}.</source>
        <translation>文档没有第 {0} 页。</translation>
    </message>
    <message>
        <source>The document has no picture {0}.</source>
        <translation>文档中没有第 {0} 张图片。</translation>
    </message>
    <message>
        <source>The document is damaged.</source>
        <translation>文档已损坏。</translation>
    </message>
    <message>
        <source>The document is encrypted in a way that is not read.</source>
        <translation>该文档的加密方式不受支持。</translation>
    </message>
    <message>
        <source>The document&apos;s most tokens.</source>
        <translation>虚构文档最多多少个 token。</translation>
    </message>
    <message>
        <source>The documents that this answer rests on are gone, or have changed.</source>
        <translation>该回答所依据的文档已不存在，或已更改。</translation>
    </message>
    <message>
        <source>The documents were removed meanwhile.</source>
        <translation>这些文档已在此期间移除。</translation>
    </message>
    <message>
        <source>The download of {0} broke off.</source>
        <translation>{0} 的下载中断了。</translation>
    </message>
    <message>
        <source>The drive did not answer within {0} seconds.</source>
        <translation>驱动器在 {0} 秒内没有响应。</translation>
    </message>
    <message>
        <source>The drive does not answer, so this was passed over. Check the drive or the connection and try again.</source>
        <translation>驱动器没有响应，因此已跳过。请检查驱动器或连接，然后重试。</translation>
    </message>
    <message>
        <source>The drive does not read or write {0}.</source>
        <translation>磁盘无法读写 {0}。</translation>
    </message>
    <message>
        <source>The drive has no room for a recovered catalog beside the damaged one.</source>
        <translation>驱动器上没有空间在损坏的目录数据库之外再存放恢复后的目录数据库。</translation>
    </message>
    <message>
        <source>The embedder {0} does not tell what its attention heads saw.</source>
        <translation>嵌入模型 {0} 不给出各注意力头所见的内容。</translation>
    </message>
    <message>
        <source>The embedding model {0} is Ollama&apos;s, which has to stay the server then. Choose another embedding model first, in the settings.</source>
        <translation>嵌入模型 {0} 由 Ollama 提供，因此服务器必须仍为 Ollama。请先在设置中选择其他嵌入模型。</translation>
    </message>
    <message>
        <source>The embedding model&apos;s vectors have {0} numbers.</source>
        <translation>该嵌入模型的向量有 {0} 个数。</translation>
    </message>
    <message>
        <source>The file has parts in parts without end.</source>
        <translation>该文件的各部分层层嵌套，无法读取。</translation>
    </message>
    <message>
        <source>The file has {0} MiB; files above {1} MiB are not read.</source>
        <translation>文件大小为 {0} MiB；超过 {1} MiB 的文件不读取。</translation>
    </message>
    <message>
        <source>The file holds hardly any other text.</source>
        <translation>除此之外，文件中几乎没有文字。</translation>
    </message>
    <message>
        <source>The file holds hardly any text.</source>
        <translation>文件中几乎没有文字。</translation>
    </message>
    <message>
        <source>The file holds more XML than is read at once.</source>
        <translation>文件中的 XML 超过了一次可读取的量。</translation>
    </message>
    <message>
        <source>The file holds more than {0} characters of text.</source>
        <translation>文件中的文本超过 {0} 个字符。</translation>
    </message>
    <message>
        <source>The file holds no bytes.</source>
        <translation>文件是空的。</translation>
    </message>
    <message>
        <source>The file holds no text.</source>
        <translation>文件中没有文字。</translation>
    </message>
    <message>
        <source>The file holds only pictures.</source>
        <translation>文件里只有图片。</translation>
    </message>
    <message>
        <source>The file is a picture: it holds no text.</source>
        <translation>文件是图片，没有文字。</translation>
    </message>
    <message>
        <source>The file is a video.</source>
        <translation>该文件是录影。</translation>
    </message>
    <message>
        <source>The file is an archive.</source>
        <translation>该文件是压缩包。</translation>
    </message>
    <message>
        <source>The file is damaged or was not written to its end.</source>
        <translation>文件已损坏或没有写完。</translation>
    </message>
    <message>
        <source>The file is damaged.</source>
        <translation>文件已损坏。</translation>
    </message>
    <message>
        <source>The file is damaged: its parts do not fit each other.</source>
        <translation>文件已损坏：其各部分互不相符。</translation>
    </message>
    <message>
        <source>The file is damaged; what could be saved of it was read.</source>
        <translation>文件已损坏；能够恢复的内容已读取。</translation>
    </message>
    <message>
        <source>The file is larger than {0} MB.</source>
        <translation>该文件大于 {0} MB。</translation>
    </message>
    <message>
        <source>The file is no longer there, or no longer counts.</source>
        <translation>文件已不在原处，或已不在范围内。</translation>
    </message>
    <message>
        <source>The file is no longer there.</source>
        <translation>文件已不在原处。</translation>
    </message>
    <message>
        <source>The file is not a table of separated values.</source>
        <translation>文件不是分隔符表格。</translation>
    </message>
    <message>
        <source>The file is not valid JSON; it was read as plain text.</source>
        <translation>该文件不是有效的 JSON，已作为纯文本读取。</translation>
    </message>
    <message>
        <source>The file is not valid XML; it was read as plain text.</source>
        <translation>该文件不是有效的 XML，已作为纯文本读取。</translation>
    </message>
    <message>
        <source>The file is protected with a password.</source>
        <translation>文件有密码保护。</translation>
    </message>
    <message>
        <source>The file is protected.</source>
        <translation>文件受保护。</translation>
    </message>
    <message>
        <source>The file lies in {0}.</source>
        <translation>文件位于 {0}。</translation>
    </message>
    <message>
        <source>The file may be damaged: open it in its own program and save it anew.</source>
        <translation>文件可能已损坏：请用相应的程序打开并重新保存。</translation>
    </message>
    <message>
        <source>The file may not be read by your user account.</source>
        <translation>您的用户帐户无权读取此文件。</translation>
    </message>
    <message>
        <source>The file was gone before it could be read.</source>
        <translation>文件在读取之前就已不在。</translation>
    </message>
    <message>
        <source>The file would unpack to more than {0} MB.</source>
        <translation>该文件解压后将超过 {0} MB。</translation>
    </message>
    <message>
        <source>The file would unpack to {0} MB.</source>
        <translation>文件解压后将达到 {0} MB。</translation>
    </message>
    <message>
        <source>The file&apos;s name says mail, but its content is not text.</source>
        <translation>文件名表明是邮件，但内容不是文本。</translation>
    </message>
    <message>
        <source>The file&apos;s name says mailbox, but its content is not text.</source>
        <translation>文件名表明是邮件存档（mbox），但内容不是文本。</translation>
    </message>
    <message>
        <source>The file&apos;s name says text, but its content is not text.</source>
        <translation>文件名表明是纯文本，但内容不是文本。</translation>
    </message>
    <message>
        <source>The file&apos;s name says web archive, but its content is not text.</source>
        <translation>文件名表明是网页存档，但内容不是文本。</translation>
    </message>
    <message>
        <source>The file&apos;s name says web page, but its content is not text.</source>
        <translation>文件名表明是网页，但内容不是文本。</translation>
    </message>
    <message>
        <source>The file&apos;s name says {0}, but it is another archive.</source>
        <translation>文件名表明是 {0}，但实际是另一种压缩包。</translation>
    </message>
    <message>
        <source>The file&apos;s name says {0}, but its content is not that.</source>
        <translation>文件名表明是 {0}，但内容并非如此。</translation>
    </message>
    <message>
        <source>The files are in this knowledge base already.</source>
        <translation>这些文件已在此知识库中。</translation>
    </message>
    <message>
        <source>The files of the vector index are not as they were left.</source>
        <translation>向量索引的文件与上次留下的不一致。</translation>
    </message>
    <message>
        <source>The filter has an open quotation mark.</source>
        <translation>过滤条件的引号没有闭合。</translation>
    </message>
    <message>
        <source>The filter is too long.</source>
        <translation>过滤条件太长。</translation>
    </message>
    <message>
        <source>The filter leaves its file out.</source>
        <translation>过滤条件排除了它的文件。</translation>
    </message>
    <message>
        <source>The filter lets its file pass.</source>
        <translation>过滤条件允许它的文件。</translation>
    </message>
    <message>
        <source>The filter “{0}” selects nothing; all is searched.</source>
        <translation>过滤条件“{0}”没有选中任何内容；改为检索全部。</translation>
    </message>
    <message>
        <source>The first {0} are read a second time; it is not among them.</source>
        <translation>只重排前 {0} 名；它不在其中。</translation>
    </message>
    <message>
        <source>The folder of “{0}” is followed, but this file is passed over there.</source>
        <translation>“{0}”所在的文件夹受到跟踪，但该文件被略过。</translation>
    </message>
    <message>
        <source>The folder {0} has no {1}.</source>
        <translation>文件夹 {0} 中没有 {1}。</translation>
    </message>
    <message>
        <source>The folder {0} holds other files and is open to other users.</source>
        <translation>文件夹 {0} 中有其他文件，并且对其他用户开放。</translation>
    </message>
    <message>
        <source>The function {0} may not be used.</source>
        <translation>不能使用函数 {0}。</translation>
    </message>
    <message>
        <source>The index holds no text of this file.</source>
        <translation>索引中没有此文件的文本。</translation>
    </message>
    <message>
        <source>The indexes are missing or of another embedding model.</source>
        <translation>索引缺失，或属于其他嵌入模型。</translation>
    </message>
    <message>
        <source>The indexes in {0} cannot be written.</source>
        <translation>无法写入 {0} 中的索引。</translation>
    </message>
    <message>
        <source>The indexes still have to be told of {0} changes.</source>
        <translation>还有 {0} 处变更尚未写入索引。</translation>
    </message>
    <message>
        <source>The language model broke off.</source>
        <translation>语言模型中途中断了。</translation>
    </message>
    <message>
        <source>The language model server broke off in the middle of its answer.</source>
        <translation>语言模型服务器在回答中途断开了。</translation>
    </message>
    <message>
        <source>The language model wrote these questions, and checked them itself. Read them before you keep them.</source>
        <translation>这些问题由语言模型撰写并自行核对。请读过之后再保留。</translation>
    </message>
    <message>
        <source>The last answer of this conversation is whole: there is nothing to continue.</source>
        <translation>此对话的最后一个回答是完整的：没有可继续写的内容。</translation>
    </message>
    <message>
        <source>The letters of the pages cannot be told: their font is odd.</source>
        <translation>页面使用了特殊字体，无法识别其中的文字。</translation>
    </message>
    <message>
        <source>The link {0} leads out of the folder and is not followed; add that file itself, or allow it in the settings (ingest.follow_links).</source>
        <translation>链接 {0} 指向文件夹之外，未予读取；请直接添加该文件，或在设置中允许（ingest.follow_links）。</translation>
    </message>
    <message>
        <source>The link {0} leads to another folder and is not followed; add that folder itself.</source>
        <translation>链接 {0} 指向另一个文件夹，未予读取；请直接添加该文件夹。</translation>
    </message>
    <message>
        <source>The list of sheets is damaged; they may have other names or order.</source>
        <translation>工作表列表已损坏，名称或顺序可能与原来不同。</translation>
    </message>
    <message>
        <source>The list of slides is damaged; they may be shown in another order.</source>
        <translation>幻灯片列表已损坏，顺序可能与原来不同。</translation>
    </message>
    <message>
        <source>The log in the data folder tells more.</source>
        <translation>详细信息见数据文件夹中的日志。</translation>
    </message>
    <message>
        <source>The mail has more than {0} parts; the others were not read.</source>
        <translation>邮件的部分超过 {0} 个；其余部分未读取。</translation>
    </message>
    <message>
        <source>The mail has parts in parts without end; it was read as plain text.</source>
        <translation>邮件的各部分层层嵌套，过深；已按纯文本读取。</translation>
    </message>
    <message>
        <source>The mail is damaged.</source>
        <translation>该邮件已损坏。</translation>
    </message>
    <message>
        <source>The mailbox is very large; only the beginning of it was read.</source>
        <translation>邮件存档（mbox）很大，只读取了开头部分。</translation>
    </message>
    <message>
        <source>The model answered nothing.</source>
        <translation>模型没有给出任何回答。</translation>
    </message>
    <message>
        <source>The model broke off before it had said anything.</source>
        <translation>模型还没说出什么就中断了。</translation>
    </message>
    <message>
        <source>The model did not decide in the form that was asked for.</source>
        <translation>模型没有按要求的格式作出决定。</translation>
    </message>
    <message>
        <source>The model did not stop writing, so the answer was cut after {0} characters. Ask again, or choose another model.</source>
        <translation>模型一直写个不停，因此回答在 {0} 个字符后被截断。请重新提问，或选择其他模型。</translation>
    </message>
    <message>
        <source>The model file {0}/{1} cannot be read.</source>
        <translation>无法读取模型文件 {0}/{1}。</translation>
    </message>
    <message>
        <source>The model file {0}/{1} is damaged.</source>
        <translation>模型文件 {0}/{1} 已损坏。</translation>
    </message>
    <message>
        <source>The model had it, but no sentence of the answer rests on it.</source>
        <translation>模型读到了它，但回答中没有一句以它为依据。</translation>
    </message>
    <message>
        <source>The model is told a summary of its passage, which it writes at each question.</source>
        <translation>模型看到的是所在段落的概括，由模型在每次提问时写成。</translation>
    </message>
    <message>
        <source>The model names no line that can be used.</source>
        <translation>模型没有选出可用的行。</translation>
    </message>
    <message>
        <source>The model only thought, and wrote no answer. Turn thinking off, or raise the longest answer in the settings.</source>
        <translation>模型只进行了思考，没有写出回答。请在设置中关闭思考，或提高回答长度上限。</translation>
    </message>
    <message>
        <source>The model picks: {0}</source>
        <translation>模型选出：{0}</translation>
    </message>
    <message>
        <source>The model repeated itself without end, so Ollama stopped it. Ask again, or choose another model.</source>
        <translation>模型不停地重复，因此 Ollama 将其停止。请重新提问，或选择其他模型。</translation>
    </message>
    <message>
        <source>The model was told its passage in short, and no sentence of the answer rests on it.</source>
        <translation>模型看到的是缩短后的段落，回答中没有句子以它为依据。</translation>
    </message>
    <message>
        <source>The model wrote nothing.</source>
        <translation>模型没有写出任何内容。</translation>
    </message>
    <message>
        <source>The model {0} cannot do this: {1}.</source>
        <translation>模型 {0} 无法完成此操作：{1}。</translation>
    </message>
    <message>
        <source>The model {0} gave no usable vectors.</source>
        <translation>模型 {0} 没有给出可用的向量。</translation>
    </message>
    <message>
        <source>The model {0} gives {1} numbers a token, not {2}.</source>
        <translation>模型 {0} 为每个 token 给出 {1} 个数值，而不是 {2} 个。</translation>
    </message>
    <message>
        <source>The model {0} is not installed in Ollama.</source>
        <translation>Ollama 中没有安装模型 {0}。</translation>
    </message>
    <message>
        <source>The model {0} is not the one any more that embedded your documents.</source>
        <translation>模型 {0} 已不是当初嵌入您文档的那一个。</translation>
    </message>
    <message>
        <source>The model “{0}” brings code of its own, which is not run.</source>
        <translation>模型“{0}”带有自己的代码，这些代码不会运行。</translation>
    </message>
    <message>
        <source>The model “{0}” cannot be read.</source>
        <translation>无法读取模型“{0}”。</translation>
    </message>
    <message>
        <source>The model “{0}” could not be fetched: {1}.</source>
        <translation>无法下载模型“{0}”：{1}。</translation>
    </message>
    <message>
        <source>The model “{0}” failed: {1}.</source>
        <translation>模型“{0}”出错：{1}。</translation>
    </message>
    <message>
        <source>The model “{0}” gives {1} scores, not one.</source>
        <translation>模型“{0}”给出 {1} 个分数，而不是一个。</translation>
    </message>
    <message>
        <source>The model “{0}” has weights that are no safetensors.</source>
        <translation>模型“{0}”有不是 safetensors 格式的权重。</translation>
    </message>
    <message>
        <source>The model “{0}” in {1} cannot be loaded: {2}.</source>
        <translation>无法加载 {1} 中的模型“{0}”：{2}。</translation>
    </message>
    <message>
        <source>The model “{0}” is here.</source>
        <translation>模型“{0}”已下载。</translation>
    </message>
    <message>
        <source>The model “{0}” is not built in, and sentence-transformers is missing.</source>
        <translation>模型“{0}”不是内置模型，而且没有安装 sentence-transformers。</translation>
    </message>
    <message>
        <source>The model “{0}” is on another computer, and those are blocked.</source>
        <translation>模型“{0}”在另一台电脑上，而到其他电脑的连接已被阻止。</translation>
    </message>
    <message>
        <source>The model&apos;s context is full: it looks for nothing more.</source>
        <translation>模型的上下文已满：不再继续查找。</translation>
    </message>
    <message>
        <source>The most there may be.</source>
        <translation>最多可以有多少个。</translation>
    </message>
    <message>
        <source>The most useful words of the passages: {0}.</source>
        <translation>段落中最有用的词语：{0}。</translation>
    </message>
    <message>
        <source>The notebook is damaged.</source>
        <translation>Notebook 文件已损坏。</translation>
    </message>
    <message>
        <source>The other Desktop RAG ended; going on without it.</source>
        <translation>另一个 Desktop RAG 已结束，继续独立运行。</translation>
    </message>
    <message>
        <source>The page is too large to be drawn.</source>
        <translation>页面过大，无法显示。</translation>
    </message>
    <message>
        <source>The pages are pictures: they hold hardly any text.</source>
        <translation>页面都是图片，几乎没有文字。</translation>
    </message>
    <message>
        <source>The pages are pictures: they hold no text.</source>
        <translation>页面都是图片，没有文字。</translation>
    </message>
    <message>
        <source>The passage&apos;s file was taken out.</source>
        <translation>该段落的文件已被移出。</translation>
    </message>
    <message>
        <source>The passages made up until then are used.</source>
        <translation>使用此前已虚构的段落。</translation>
    </message>
    <message>
        <source>The passages that were found match the question only weakly.</source>
        <translation>找到的段落与问题的相关性较弱。</translation>
    </message>
    <message>
        <source>The password could not be kept.</source>
        <translation>无法保存密码。</translation>
    </message>
    <message>
        <source>The password does not open the file.</source>
        <translation>密码无法打开该文件。</translation>
    </message>
    <message>
        <source>The password is kept until Desktop RAG ends.</source>
        <translation>密码会保留到 Desktop RAG 退出为止。</translation>
    </message>
    <message>
        <source>The picture has more than {0} million pixels.</source>
        <translation>图片超过 {0} 百万个点。</translation>
    </message>
    <message>
        <source>The picture is damaged.</source>
        <translation>图片已损坏。</translation>
    </message>
    <message>
        <source>The process of the vector index ended.</source>
        <translation>向量索引的进程已结束。</translation>
    </message>
    <message>
        <source>The process that holds the vector index could not be started.</source>
        <translation>无法启动保存向量索引的进程。</translation>
    </message>
    <message>
        <source>The prompt filled {0}&apos;s context of {1} tokens, and part of it may have been cut off. {2}</source>
        <translation>提示已占满 {0} 的 {1} 个 token 的上下文，其中一部分可能被截断。{2}</translation>
    </message>
    <message>
        <source>The query cannot be read: {0}</source>
        <translation>查询无法读取：{0}</translation>
    </message>
    <message>
        <source>The query is empty or too long.</source>
        <translation>查询为空或过长。</translation>
    </message>
    <message>
        <source>The query is empty.</source>
        <translation>检索词为空。</translation>
    </message>
    <message>
        <source>The query needs more than {0} MB of memory.</source>
        <translation>查询需要超过 {0} MB 的内存。</translation>
    </message>
    <message>
        <source>The query took more than {0} seconds.</source>
        <translation>查询用时超过 {0} 秒。</translation>
    </message>
    <message>
        <source>The question is empty.</source>
        <translation>问题为空。</translation>
    </message>
    <message>
        <source>The question is searched as it is.</source>
        <translation>按问题原文检索。</translation>
    </message>
    <message>
        <source>The question may mean “{0}” just as well.</source>
        <translation>这个问题也可能是指“{0}”。</translation>
    </message>
    <message>
        <source>The question seems to need several steps: {0}.</source>
        <translation>这个问题似乎需要多步：{0}。</translation>
    </message>
    <message>
        <source>The question was not searched by its meaning: no model here reads it.</source>
        <translation>没有按语义检索该问题：这里没有能读懂它的模型。</translation>
    </message>
    <message>
        <source>The reranker does not read its language: it stays number {0}.</source>
        <translation>重排模型不识其语言：它仍是第 {0}。</translation>
    </message>
    <message>
        <source>The reranker reads too few of these questions: {0}.</source>
        <translation>重排模型能读懂的问题太少：{0} 个。</translation>
    </message>
    <message>
        <source>The rest of the archive was not read: {0}</source>
        <translation>压缩包的其余部分未读取：{0}</translation>
    </message>
    <message>
        <source>The server at {0} answers oddly: its reply is too long or not in its usual form.</source>
        <translation>{0} 上的服务器回应异常：回复过长，或不是通常的格式。</translation>
    </message>
    <message>
        <source>The server at {0} takes too long to answer.</source>
        <translation>{0} 上的服务器响应时间过长。</translation>
    </message>
    <message>
        <source>The server at {0} wants a key, and Desktop RAG sends none.</source>
        <translation>{0} 上的服务器要求密钥，而 Desktop RAG 不发送密钥。</translation>
    </message>
    <message>
        <source>The server has no model {0}.</source>
        <translation>该服务器没有模型 {0}。</translation>
    </message>
    <message>
        <source>The server is busy with other requests.</source>
        <translation>服务器正忙于处理其他请求。</translation>
    </message>
    <message>
        <source>The server is still loading its model.</source>
        <translation>服务器仍在加载模型。</translation>
    </message>
    <message>
        <source>The server is still loading the model {0}.</source>
        <translation>服务器仍在加载模型 {0}。</translation>
    </message>
    <message>
        <source>The server of “{0}” does not answer: this is what was there on {1}.</source>
        <translation>“{0}”的服务器没有响应：这是 {1} 时那里的内容。</translation>
    </message>
    <message>
        <source>The server reports an error: {0}.</source>
        <translation>服务器报告错误：{0}。</translation>
    </message>
    <message>
        <source>The server runs, and no model is loaded in it.</source>
        <translation>服务器正在运行，但没有加载任何模型。</translation>
    </message>
    <message>
        <source>The settings are {0}.</source>
        <translation>可用的设置有 {0}。</translation>
    </message>
    <message>
        <source>The settings can&apos;t be written: {0}.</source>
        <translation>无法写入设置：{0}。</translation>
    </message>
    <message>
        <source>The settings file {0} cannot be read.</source>
        <translation>无法读取设置文件 {0}。</translation>
    </message>
    <message>
        <source>The share of a question&apos;s words that must be known to do without a model&apos;s query.</source>
        <translation>问题中须能识别的词所占的比例，达到它就不用模型写查询。</translation>
    </message>
    <message>
        <source>The shared Chroma server does not answer.</source>
        <translation>共享 Chroma 服务器没有响应。</translation>
    </message>
    <message>
        <source>The shared Chroma server does not let you do that.</source>
        <translation>共享的 Chroma 服务器不允许您这样做。</translation>
    </message>
    <message>
        <source>The shared Chroma server has no such collection.</source>
        <translation>共享的 Chroma 服务器上没有这个集合。</translation>
    </message>
    <message>
        <source>The shared Chroma server reports an error: {0}</source>
        <translation>共享的 Chroma 服务器报告了错误：{0}</translation>
    </message>
    <message>
        <source>The shared knowledge base changes too fast to be read.</source>
        <translation>共享的知识库变化太快，无法读取。</translation>
    </message>
    <message>
        <source>The shared knowledge base was made with another embedding model.</source>
        <translation>共享的知识库是用另一个嵌入模型建立的。</translation>
    </message>
    <message>
        <source>The shared knowledge base was made with another embedding model: its texts are embedded anew, which may take a while.</source>
        <translation>共享的知识库是用另一个嵌入模型制作的：正在为其文本重新生成向量，可能需要一些时间。</translation>
    </message>
    <message>
        <source>The sheet {0} is damaged and was not read.</source>
        <translation>工作表 {0} 已损坏，未读取。</translation>
    </message>
    <message>
        <source>The sheet {0} is damaged; only what comes before that was read.</source>
        <translation>工作表 {0} 已损坏；只读取了损坏处之前的内容。</translation>
    </message>
    <message>
        <source>The strategy for one search.</source>
        <translation>只需检索一次时使用的策略。</translation>
    </message>
    <message>
        <source>The strategy for questions that need no search; direct: the model answers by itself, unless only the documents count.</source>
        <translation>无需检索的问题使用的策略；direct：由模型自己回答，除非只以文档为准。</translation>
    </message>
    <message>
        <source>The strategy for questions that seem to need several steps.</source>
        <translation>似乎需要多步的问题使用的策略。</translation>
    </message>
    <message>
        <source>The strategy for several searches.</source>
        <translation>需要多次检索时使用的策略。</translation>
    </message>
    <message>
        <source>The strategy.</source>
        <translation>策略。</translation>
    </message>
    <message>
        <source>The system could not read the file ({0}).</source>
        <translation>系统无法读取此文件（{0}）。</translation>
    </message>
    <message>
        <source>The system&apos;s key ring does not answer.</source>
        <translation>系统密码库没有响应。</translation>
    </message>
    <message>
        <source>The system&apos;s key ring refused.</source>
        <translation>系统密码库拒绝了请求。</translation>
    </message>
    <message>
        <source>The table was written to {0}.</source>
        <translation>表格已写入 {0}。</translation>
    </message>
    <message>
        <source>The text is longer than {0} can take in.</source>
        <translation>文本长度超出了 {0} 的处理能力。</translation>
    </message>
    <message>
        <source>The two searches fused, it is number {0} of {1}.</source>
        <translation>两种检索融合后，它在 {1} 个中排第 {0}。</translation>
    </message>
    <message>
        <source>The vector index cannot be read ({0}).</source>
        <translation>无法读取向量索引（{0}）。</translation>
    </message>
    <message>
        <source>The vector index cannot be read.</source>
        <translation>无法读取向量索引。</translation>
    </message>
    <message>
        <source>The vector index does not find chunks that it holds.</source>
        <translation>向量索引找不到其中已有的文本块。</translation>
    </message>
    <message>
        <source>The vector index holds other chunks than the catalog.</source>
        <translation>向量索引中的文本块与目录数据库不一致。</translation>
    </message>
    <message>
        <source>The vector index holds {0} of {1} chunks.</source>
        <translation>向量索引中有 {0}/{1} 个文本块。</translation>
    </message>
    <message>
        <source>The vector index is at other work.</source>
        <translation>向量索引正忙。</translation>
    </message>
    <message>
        <source>The vector index names an embedding function: another program wrote it.</source>
        <translation>向量索引指定了嵌入函数：它是由其他程序写入的。</translation>
    </message>
    <message>
        <source>The vector index was cut short.</source>
        <translation>向量索引不完整。</translation>
    </message>
    <message>
        <source>The vectors of a knowledge base are still those of another embedding model.</source>
        <translation>某个知识库中的向量仍属于其他嵌入模型。</translation>
    </message>
    <message>
        <source>The web archive is damaged.</source>
        <translation>网页存档已损坏。</translation>
    </message>
    <message>
        <source>The word index cannot be read.</source>
        <translation>无法读取关键词索引。</translation>
    </message>
    <message>
        <source>The word index holds other chunks than the catalog.</source>
        <translation>关键词索引中的文本块与目录数据库不一致。</translation>
    </message>
    <message>
        <source>The word index holds {0} of {1} chunks.</source>
        <translation>关键词索引中有 {0}/{1} 个文本块。</translation>
    </message>
    <message>
        <source>The word index picks: {0}</source>
        <translation>词索引选出：{0}</translation>
    </message>
    <message>
        <source>The workbook is damaged.</source>
        <translation>工作簿已损坏。</translation>
    </message>
    <message>
        <source>The workbook is very large; only the beginning of it was read.</source>
        <translation>工作簿非常大；只读取了开头部分。</translation>
    </message>
    <message>
        <source>There are too few questions to learn from and to measure by: {0}, {1} and {2}.</source>
        <translation>可供学习和衡量的问题太少：{0}、{1} 和 {2} 个。</translation>
    </message>
    <message>
        <source>There are: {0}.</source>
        <translation>现有：{0}。</translation>
    </message>
    <message>
        <source>There is already a file {0}.</source>
        <translation>文件 {0} 已存在。</translation>
    </message>
    <message>
        <source>There is already a knowledge base named “{0}”.</source>
        <translation>名为“{0}”的知识库已存在。</translation>
    </message>
    <message>
        <source>There is no adapt {0}.</source>
        <translation>没有 adapt {0}。</translation>
    </message>
    <message>
        <source>There is no built-in model.</source>
        <translation>没有内置模型。</translation>
    </message>
    <message>
        <source>There is no catalog in {0}, and no copy of one.</source>
        <translation>{0} 中没有目录数据库，也没有它的副本。</translation>
    </message>
    <message>
        <source>There is no conversation {0}.</source>
        <translation>没有编号为 {0} 的对话。</translation>
    </message>
    <message>
        <source>There is no eval {0}.</source>
        <translation>没有 eval {0}。</translation>
    </message>
    <message>
        <source>There is no evaluation of {0}.</source>
        <translation>没有对 {0} 的评测。</translation>
    </message>
    <message>
        <source>There is no file or folder {0}.</source>
        <translation>没有文件或文件夹 {0}。</translation>
    </message>
    <message>
        <source>There is no file {0}.</source>
        <translation>没有文件 {0}。</translation>
    </message>
    <message>
        <source>There is no file “{0}” there.</source>
        <translation>那里没有文件“{0}”。</translation>
    </message>
    <message>
        <source>There is no kb {0}.</source>
        <translation>kb 没有子命令 {0}。</translation>
    </message>
    <message>
        <source>There is no knowledge base named “{0}”.</source>
        <translation>没有名为“{0}”的知识库。</translation>
    </message>
    <message>
        <source>There is no knowledge base that can be asked.</source>
        <translation>没有可以提问的知识库。</translation>
    </message>
    <message>
        <source>There is no language model: the best passages are quoted as they are.</source>
        <translation>没有语言模型：直接引用最好的段落。</translation>
    </message>
    <message>
        <source>There is no list of {0}.</source>
        <translation>没有 {0} 的列表。</translation>
    </message>
    <message>
        <source>There is no model in {0}.</source>
        <translation>{0} 中没有模型。</translation>
    </message>
    <message>
        <source>There is no model “{0}” on this computer.</source>
        <translation>这台电脑上没有模型“{0}”。</translation>
    </message>
    <message>
        <source>There is no note {0}.</source>
        <translation>没有笔记 {0}。</translation>
    </message>
    <message>
        <source>There is no passage {0} in the index, or no longer.</source>
        <translation>索引中没有（或不再有）段落 {0}。</translation>
    </message>
    <message>
        <source>There is no prepare {0}.</source>
        <translation>没有 prepare {0}。</translation>
    </message>
    <message>
        <source>There is no preset {0}.</source>
        <translation>没有预设 {0}。</translation>
    </message>
    <message>
        <source>There is no question set named “{0}”.</source>
        <translation>没有名为“{0}”的问题集。</translation>
    </message>
    <message>
        <source>There is no room for a copy of the catalog: {0} GB are free, and {1} GB are wanted.</source>
        <translation>没有空间存放目录数据库的副本：可用 {0} GB，需要 {1} GB。</translation>
    </message>
    <message>
        <source>There is no room on the disk for what {0} holds.</source>
        <translation>磁盘空间不足以容纳 {0} 的内容。</translation>
    </message>
    <message>
        <source>There is no room on the disk for {0}: {1}.</source>
        <translation>磁盘空间不足，无法存放 {0}：{1}。</translation>
    </message>
    <message>
        <source>There is no setting “{0}”.</source>
        <translation>没有设置项“{0}”。</translation>
    </message>
    <message>
        <source>There is no strategy {0} here.</source>
        <translation>这里没有策略 {0}。</translation>
    </message>
    <message>
        <source>There is no strategy {0}.</source>
        <translation>没有策略 {0}。</translation>
    </message>
    <message>
        <source>There is no such file or folder.</source>
        <translation>没有这样的文件或文件夹。</translation>
    </message>
    <message>
        <source>There is no table {0}.</source>
        <translation>没有表格 {0}。</translation>
    </message>
    <message>
        <source>There is no text at these paths.</source>
        <translation>这些路径下没有文字。</translation>
    </message>
    <message>
        <source>There is no text of {0}.</source>
        <translation>没有 {0} 的文本。</translation>
    </message>
    <message>
        <source>There is no {0} {1}.</source>
        <translation>没有{0} {1}。</translation>
    </message>
    <message>
        <source>There is not enough memory for {0}: {1}.</source>
        <translation>内存不足，无法运行 {0}：{1}。</translation>
    </message>
    <message>
        <source>There is nothing to save: no text is selected.</source>
        <translation>没有可保存的内容：未选中文字。</translation>
    </message>
    <message>
        <source>There is only one document to compare.</source>
        <translation>只有一份文档可以比较。</translation>
    </message>
    <message>
        <source>These folders and files of the imported knowledge base are on this computer, too, and are not followed: {0}{1}. Add those that you want to keep up with, for example with `desktop-rag index --kb {2} {3}`.</source>
        <translation>导入的知识库中，这些文件夹和文件在这台电脑上也有，但没有跟进：{0}{1}。要跟进其中的更改，请添加它们，例如运行 `desktop-rag index --kb {2} {3}`。</translation>
    </message>
    <message>
        <source>These kept options are not possible, and left out: {0}.</source>
        <translation>以下保存的选项无法使用，已忽略：{0}。</translation>
    </message>
    <message>
        <source>These words are not in what was read of “{0}”.</source>
        <translation>从“{0}”读到的文字中没有这些词语。</translation>
    </message>
    <message>
        <source>They may be in one of the {0} files that could not be read.</source>
        <translation>它们可能在 {0} 个无法读取的文件之中。</translation>
    </message>
    <message>
        <source>They may have been moved.</source>
        <translation>它们可能已被移动。</translation>
    </message>
    <message>
        <source>This Ollama does not tell how sure the model is of each token, which this strategy needs.</source>
        <translation>此版本的 Ollama 不提供每个 token 的概率，而该策略需要它。</translation>
    </message>
    <message>
        <source>This answer does not rest on your documents, and nothing else is allowed now.</source>
        <translation>该回答不以您的文档为依据，而现在只允许以文档为依据。</translation>
    </message>
    <message>
        <source>This answer was interrupted.</source>
        <translation>此回答已中断。</translation>
    </message>
    <message>
        <source>This answer was made of quotes from a document that was taken out. They were removed.</source>
        <translation>此回答由已移除文档的引文组成，这些引文已被移除。</translation>
    </message>
    <message>
        <source>This asks nothing of the documents: nothing is searched.</source>
        <translation>这句话不涉及文档：没有检索任何内容。</translation>
    </message>
    <message>
        <source>This build cannot load it: name a model of Ollama&apos;s, or run the program from its source.</source>
        <translation>此版本无法加载它：请指定 Ollama 的模型，或从源代码运行本程序。</translation>
    </message>
    <message>
        <source>This conversation has no answer.</source>
        <translation>该对话没有回答。</translation>
    </message>
    <message>
        <source>This data folder was made by a newer version of Desktop RAG.</source>
        <translation>此数据文件夹由更新版本的 Desktop RAG 创建。</translation>
    </message>
    <message>
        <source>This document was taken out, and its quotes were removed from this conversation.</source>
        <translation>此文档已移除，其引文也已从本对话中移除。</translation>
    </message>
    <message>
        <source>This folder holds Desktop RAG&apos;s own data.</source>
        <translation>此文件夹存放的是 Desktop RAG 自身的数据。</translation>
    </message>
    <message>
        <source>This folder may not be read by your user account. Give yourself the right to read it.</source>
        <translation>您的用户帐户无权读取此文件夹。请授予自己读取权限。</translation>
    </message>
    <message>
        <source>This is measured on questions of your own.</source>
        <translation>这项测量使用您自己的问题。</translation>
    </message>
    <message>
        <source>This is measured without a language model.</source>
        <translation>这是不用语言模型测量的。</translation>
    </message>
    <message>
        <source>This is no file.</source>
        <translation>这不是文件。</translation>
    </message>
    <message>
        <source>This knowledge base is shared on {0}, and the settings name another.</source>
        <translation>该知识库共享在 {0} 上，而设置中是另一台服务器。</translation>
    </message>
    <message>
        <source>This knowledge base was made with another embedding model: its texts are embedded anew, which may take a while. Nothing is read again.</source>
        <translation>此知识库由其他嵌入模型建立：文本将重新向量化，可能需要一些时间，但无需重新读取文件。</translation>
    </message>
    <message>
        <source>This passage is not among what the answer found.</source>
        <translation>这个段落不在该回答找到的内容之中。</translation>
    </message>
    <message>
        <source>This server does not tell how sure the model is of each token, which this strategy needs.</source>
        <translation>此服务器不提供每个 token 的概率，而该策略需要它。</translation>
    </message>
    <message>
        <source>This system gives its reader no place to unpack it.</source>
        <translation>本系统没有给读取进程留出解包附件的位置。</translation>
    </message>
    <message>
        <source>This system has no key ring that Desktop RAG can use.</source>
        <translation>此系统没有 Desktop RAG 可以使用的密码库。</translation>
    </message>
    <message>
        <source>Thorough</source>
        <translation>深入</translation>
    </message>
    <message>
        <source>Times that not every passage fitted the model&apos;s context: {0}.</source>
        <translation>有 {0} 次，段落未能全部放进模型的上下文。</translation>
    </message>
    <message>
        <source>To read what is in it, turn on “Look into archives” for this knowledge base (kb archives NAME on).</source>
        <translation>要读取其中的内容，请为此知识库打开“读取压缩包中的文件”（kb archives NAME on）。</translation>
    </message>
    <message>
        <source>To share “{0}” sends every text of it, the paths of its files and your name to {1}.</source>
        <translation>共享“{0}”会把它的全部文本、文件路径和您的名字发送到 {1}。</translation>
    </message>
    <message>
        <source>To switch it off altogether, set disable_ollama_cloud to true in ~/.ollama/server.json, or set OLLAMA_NO_CLOUD=1 where Ollama is started, and start it again.</source>
        <translation>要完全关闭，请在 ~/.ollama/server.json 中把 disable_ollama_cloud 设为 true，或在启动 Ollama 时设置 OLLAMA_NO_CLOUD=1，然后重新启动它。</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <source>Tree of summaries (RAPTOR)</source>
        <translation>摘要树（RAPTOR）</translation>
    </message>
    <message>
        <source>Try again in a minute.</source>
        <translation>请一分钟后再试。</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>请稍后重试。</translation>
    </message>
    <message>
        <source>Try again in a moment; if it happens again, start Ollama again, and update it.</source>
        <translation>请稍后重试；如果再次出现，请重新启动并更新 Ollama。</translation>
    </message>
    <message>
        <source>Try again later, or choose another model.</source>
        <translation>请稍后重试，或选择其他模型。</translation>
    </message>
    <message>
        <source>Try again with Test.</source>
        <translation>请用“测试”重试。</translation>
    </message>
    <message>
        <source>Try again, or choose another model.</source>
        <translation>请重试，或选择其他模型。</translation>
    </message>
    <message>
        <source>Try again, or look into Ollama&apos;s log.</source>
        <translation>请重试，或查看 Ollama 的日志。</translation>
    </message>
    <message>
        <source>Try again, or look into the server&apos;s log.</source>
        <translation>请重试，或查看服务器的日志。</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>请重试。</translation>
    </message>
    <message>
        <source>Try again; a smaller model or a shorter context length may help.</source>
        <translation>请重试；更小的模型或更短的上下文长度可能有帮助。</translation>
    </message>
    <message>
        <source>Try again; if it happens again, choose a smaller model or a shorter context length.</source>
        <translation>请重试；如果再次发生，请选择更小的模型或更短的上下文长度。</translation>
    </message>
    <message>
        <source>Turn off “Only from my documents”, or ask again.</source>
        <translation>请关闭“仅依据我的文档”，或重新提问。</translation>
    </message>
    <message>
        <source>Turn thinking off in the settings.</source>
        <translation>请在设置中关闭思考。</translation>
    </message>
    <message>
        <source>Turn “Connect to this computer only” off on the settings&apos; page “Privacy” (block_remote=false on the command line), or use what is on this computer.</source>
        <translation>请在设置的“隐私”页关闭“只允许连接本机”（命令行用 block_remote=false），或使用本机上的服务。</translation>
    </message>
    <message>
        <source>Turn “Connect to this computer only” off on the settings&apos; page “Privacy”, or empty the setting “Shared Chroma server”.</source>
        <translation>请在设置的“隐私”页关闭“只允许连接本机”，或清空“共享 Chroma 服务器”设置。</translation>
    </message>
    <message>
        <source>Unlock it, and start Desktop RAG again.</source>
        <translation>请打开密码库，然后重新启动 Desktop RAG。</translation>
    </message>
    <message>
        <source>Unlock it, and try again.</source>
        <translation>请打开密码库，然后重试。</translation>
    </message>
    <message>
        <source>Unpack it, and add what you need of it.</source>
        <translation>请解压它，然后添加您需要的文件。</translation>
    </message>
    <message>
        <source>Update Ollama to 0.12.11 or newer, or choose another strategy.</source>
        <translation>请将 Ollama 更新到 0.12.11 或更高版本，或选择其他策略。</translation>
    </message>
    <message>
        <source>Update the program, or choose another data folder; nothing was changed.</source>
        <translation>请更新程序，或选择其他数据文件夹；没有任何改动。</translation>
    </message>
    <message>
        <source>Update the program, then import it again.</source>
        <translation>请更新程序，然后重新导入。</translation>
    </message>
    <message>
        <source>Use Linux 5.13 or newer, with landlock among its security modules (lsm=).</source>
        <translation>请使用 Linux 5.13 或更新版本，并在安全模块（lsm=）中启用 landlock。</translation>
    </message>
    <message>
        <source>Use Linux on x86_64 or aarch64 with seccomp and Landlock; until then, add only documents that you trust.</source>
        <translation>请使用带有 seccomp 和 Landlock 的 x86_64 或 aarch64 版 Linux；在此之前，请只添加您信任的文档。</translation>
    </message>
    <message>
        <source>Use `eval answers --real` without --judge.</source>
        <translation>请使用 `eval answers --real`，不要加 --judge。</translation>
    </message>
    <message>
        <source>Use eval retrieval with --corpus.</source>
        <translation>请用 eval retrieval 并指定 --corpus。</translation>
    </message>
    <message>
        <source>Use fewer or shorter passages, or load the model with a longer context in its server.</source>
        <translation>请使用更少或更短的段落，或在其服务器中以更长的上下文加载该模型。</translation>
    </message>
    <message>
        <source>Use fewer or shorter passages, or raise the context length in the settings.</source>
        <translation>请减少或缩短段落，或在设置中增大上下文长度。</translation>
    </message>
    <message>
        <source>Use fewer passages, or load the model with a longer context in its server.</source>
        <translation>请减少段落，或在其服务器中以更长的上下文加载模型。</translation>
    </message>
    <message>
        <source>Use fewer passages, or raise the context length in the settings.</source>
        <translation>请减少段落，或在设置中增大上下文长度。</translation>
    </message>
    <message>
        <source>Use retrieval, answers, rgb or crud.</source>
        <translation>请使用 retrieval、answers、rgb 或 crud。</translation>
    </message>
    <message>
        <source>Use {0} passages: then it is number {1} of them.</source>
        <translation>采用 {0} 个段落：它就会成为其中的第 {1} 个。</translation>
    </message>
    <message>
        <source>Useful passages</source>
        <translation>有用的段落</translation>
    </message>
    <message>
        <source>Utility</source>
        <translation>有用程度</translation>
    </message>
    <message>
        <source>Utility beside similarity (METRAG)</source>
        <translation>相似度之外的效用（METRAG）</translation>
    </message>
    <message>
        <source>Variety is not asked for: relevance alone counts.</source>
        <translation>没有要求多样性：只看相关性。</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>核对</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Wait a little longer: it is found by itself.</source>
        <translation>请再等一会儿：程序会自动识别。</translation>
    </message>
    <message>
        <source>Wait until it is less busy, or start it again.</source>
        <translation>请等它空闲一些，或重新启动它。</translation>
    </message>
    <message>
        <source>Wait until it is read, or have it read first.</source>
        <translation>请等它读完，或让它优先读取。</translation>
    </message>
    <message>
        <source>Walked passages</source>
        <translation>游走段落</translation>
    </message>
    <message>
        <source>Weight of relevance.</source>
        <translation>相关性的权重。</translation>
    </message>
    <message>
        <source>Weight of support.</source>
        <translation>支持程度的权重。</translation>
    </message>
    <message>
        <source>Weight of usefulness.</source>
        <translation>有用程度的权重。</translation>
    </message>
    <message>
        <source>What answers at {0} is neither Ollama nor a server that speaks OpenAI&apos;s protocol.</source>
        <translation>{0} 上的服务既不是 Ollama，也不是使用 OpenAI 协议的服务器。</translation>
    </message>
    <message>
        <source>What answers at {0} is not Ollama, or one that is too old.</source>
        <translation>在 {0} 响应的不是 Ollama，或版本过旧。</translation>
    </message>
    <message>
        <source>What came of it stays here. `desktop-rag kb share NAME` puts it there again.</source>
        <translation>已取得的内容保留在本机。用 `desktop-rag kb share NAME` 可以重新放上去。</translation>
    </message>
    <message>
        <source>What is done around the strategy, where there is a language model.</source>
        <translation>有语言模型时，在策略前后进行的处理。</translation>
    </message>
    <message>
        <source>What it had written is kept. Ask again.</source>
        <translation>已写出的内容会保留。请重新提问。</translation>
    </message>
    <message>
        <source>What listens at {0} hangs up without an answer.</source>
        <translation>{0} 上的程序接受了连接，但没有作出任何回答便断开。</translation>
    </message>
    <message>
        <source>What reads documents is held by Landlock (version {0}) and a filter of system calls: no network, no processes, no files but its own changed. It may read your files.</source>
        <translation>读取文档的进程由 Landlock（版本 {0}）和系统调用过滤器约束：不能联网，不能启动或影响其他进程，只能改动自己的文件。它可以读取您的文件。</translation>
    </message>
    <message>
        <source>What reads documents is held by a filter of system calls, not by Landlock: it writes nothing, so attachments of mails are not read.</source>
        <translation>读取文档的进程由系统调用过滤器约束，但没有 Landlock：它不写入任何文件，因此不读取邮件的附件。</translation>
    </message>
    <message>
        <source>What reads documents is not refused: {0}.</source>
        <translation>读取文档的进程未被禁止：{0}。</translation>
    </message>
    <message>
        <source>What stands there does not answer the question.</source>
        <translation>那里的内容没有回答这个问题。</translation>
    </message>
    <message>
        <source>What tells the routes apart.</source>
        <translation>由什么来区分各条路线。</translation>
    </message>
    <message>
        <source>What the first search&apos;s passages weigh as seeds, beside entities of 1.</source>
        <translation>第一次搜索的段落作为起点的权重；实体的权重为 1。</translation>
    </message>
    <message>
        <source>What the logarithm of its first rank takes from a first passage&apos;s score.</source>
        <translation>第一段落的分数减去其初始名次的对数乘以此值。</translation>
    </message>
    <message>
        <source>What the model wrote of {0} is not supported: quotes are given instead.</source>
        <translation>模型对 {0} 写的内容没有依据：改为给出引文。</translation>
    </message>
    <message>
        <source>What was answered is kept; the same command goes on from there.</source>
        <translation>已经得到的回答都保存了；同样的命令会接着做。</translation>
    </message>
    <message>
        <source>What was found counts as nothing: its evidence is {0}, and an answer needs {1}.</source>
        <translation>找到的内容视为没有找到：证据为 {0}，回答需要 {1}。</translation>
    </message>
    <message>
        <source>What was shared as “{0}” stays on {1} for the others, until somebody takes it off: `desktop-rag kb unshare NAME --withdraw`.</source>
        <translation>以“{0}”共享的内容仍留在 {1} 上供他人使用，直到有人撤下：`desktop-rag kb unshare NAME --withdraw`。</translation>
    </message>
    <message>
        <source>Whether the model emits them, and reads its own form of prompt; auto: by its name.</source>
        <translation>模型是否会输出它们，并读取自己格式的提示词；auto：按模型名称判断。</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Window {0} of {1}: passages {2} to {3}.</source>
        <translation>第 {0} 个窗口，共 {1} 个：段落 {2} 至 {3}。</translation>
    </message>
    <message>
        <source>Windows&apos; own package manager fetches Ollama&apos;s installer and runs it.</source>
        <translation>由 Windows 自带的软件包管理器下载并运行 Ollama 安装程序。</translation>
    </message>
    <message>
        <source>With hard, a segment that its passage does not support is left out.</source>
        <translation>选 hard 时，段落不支持的片段会被舍去。</translation>
    </message>
    <message>
        <source>Without a language model each row is a sentence taken from its document, cited.</source>
        <translation>没有语言模型时，每一行都是取自该文档的一句话，并注明出处。</translation>
    </message>
    <message>
        <source>Without a language model only quotes from your documents can be given.</source>
        <translation>没有语言模型时，只能给出文档引文。</translation>
    </message>
    <message>
        <source>Without a language model sentences that differ are set side by side, each cited.</source>
        <translation>没有语言模型时，会把不同的句子并列出来，每句都注明出处。</translation>
    </message>
    <message>
        <source>Without a language model the summary is made of sentences taken from the documents, each cited.</source>
        <translation>没有语言模型时，摘要由取自文档的句子组成，每句都注明出处。</translation>
    </message>
    <message>
        <source>Without a language model, Thorough searches in no other wordings, and checks no answer.</source>
        <translation>没有语言模型时，“深入”不会换用其他问法检索，也不会核查回答。</translation>
    </message>
    <message>
        <source>Without a language model, no passage is made up to search with.</source>
        <translation>没有语言模型时，不会虚构文字来检索。</translation>
    </message>
    <message>
        <source>Without a language model, questions are made of headings and defined terms. They share words with what they are to find: figures will be better than those of people&apos;s questions.</source>
        <translation>没有语言模型时，问题由标题和定义的术语拼成。它们与要找的内容用词相同：数值会比真人提问时好看。</translation>
    </message>
    <message>
        <source>Without a language model, questions of known words are computed over all rows of tables, exactly; to others only quotes can be given.</source>
        <translation>没有语言模型时，用词可识别的问题会对表格的所有行精确计算；其他问题只能给出引文。</translation>
    </message>
    <message>
        <source>Without a model, only quotes can be measured (--strategy quotes).</source>
        <translation>没有模型时，只能测量引文（--strategy quotes）。</translation>
    </message>
    <message>
        <source>Without a search</source>
        <translation>不检索</translation>
    </message>
    <message>
        <source>Words less probable than this are left out of the query, or asked about.</source>
        <translation>概率低于此值的词不放进查询，或就其提问。</translation>
    </message>
    <message>
        <source>Workers know a folder “{0}” at {1}; this one is at {2}.</source>
        <translation>工作进程已知文件夹“{0}”在 {1}；这一个在 {2}。</translation>
    </message>
    <message>
        <source>Write a number such as {0}.</source>
        <translation>请输入数值，例如 {0}。</translation>
    </message>
    <message>
        <source>Write at most {0} characters.</source>
        <translation>最多写 {0} 个字符。</translation>
    </message>
    <message>
        <source>Write it as 12.</source>
        <translation>请写成 12 这样的数字。</translation>
    </message>
    <message>
        <source>Write it as 2024-07-31, 2024-07 or 2024.</source>
        <translation>请写成 2024-07-31、2024-07 或 2024。</translation>
    </message>
    <message>
        <source>Write it like {0} in the settings, or in {1}.</source>
        <translation>请在设置或 {1} 中写成 {0} 的形式。</translation>
    </message>
    <message>
        <source>Write it like {0}.</source>
        <translation>请写成 {0} 的形式。</translation>
    </message>
    <message>
        <source>Write key:value, with a key of {0}.</source>
        <translation>请写成 key:value 的形式，key 可为 {0}。</translation>
    </message>
    <message>
        <source>Write one of {0}.</source>
        <translation>请填写 {0} 之一。</translation>
    </message>
    <message>
        <source>Write questions yourself, or get a language model for it.</source>
        <translation>请自己写问题，或为此获取一个语言模型。</translation>
    </message>
    <message>
        <source>Write true or false.</source>
        <translation>请填写 true 或 false。</translation>
    </message>
    <message>
        <source>Write what you are looking for.</source>
        <translation>请输入要查找的内容。</translation>
    </message>
    <message>
        <source>Your distribution&apos;s own package is installed. It asks for your password.</source>
        <translation>安装发行版自带的软件包。它会要求输入密码。</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>a source for a sentence</source>
        <translation>为一个句子找来源</translation>
    </message>
    <message>
        <source>a text has more than {0} characters</source>
        <translation>有一段文本超过 {0} 个字符</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>about {0} of {1} tokens are read</source>
        <translation>在约 {1} 个 token 中读取 {0} 个</translation>
    </message>
    <message>
        <source>adaptive can&apos;t be a route of its own.</source>
        <translation>adaptive 不能作为它自己的路线。</translation>
    </message>
    <message>
        <source>answer {0}</source>
        <translation>回答 {0}</translation>
    </message>
    <message>
        <source>at {0}</source>
        <translation>位于 {0}</translation>
    </message>
    <message>
        <source>cell {0}</source>
        <translation>单元格 {0}</translation>
    </message>
    <message>
        <source>check {0}</source>
        <translation>核对 {0}</translation>
    </message>
    <message>
        <source>chunk {0} ends after the text</source>
        <translation>文本块 {0} 超出了文本末尾</translation>
    </message>
    <message>
        <source>collapsed: all layers at once; traversal: from the highest layer down.</source>
        <translation>collapsed：同时搜索所有层；traversal：从最高层逐层向下。</translation>
    </message>
    <message>
        <source>files of {0}</source>
        <translation>{0} 的文件</translation>
    </message>
    <message>
        <source>follow-up {0}</source>
        <translation>子问题 {0}</translation>
    </message>
    <message>
        <source>hop {0}</source>
        <translation>第 {0} 跳</translation>
    </message>
    <message>
        <source>hop {0}, sample {1}</source>
        <translation>第 {0} 跳，样本 {1}</translation>
    </message>
    <message>
        <source>hop {0}, {1} of the samples</source>
        <translation>第 {0} 跳，{1} 个样本</translation>
    </message>
    <message>
        <source>hypothetical passage {0}</source>
        <translation>假想段落 {0}</translation>
    </message>
    <message>
        <source>implicit: the sentence without its unsure words; explicit: a question about each.</source>
        <translation>implicit：去掉没有把握的词的句子；explicit：对每个这样的词提一个问题。</translation>
    </message>
    <message>
        <source>in one document</source>
        <translation>在一份文档中</translation>
    </message>
    <message>
        <source>in step with the catalog: {0} chunks</source>
        <translation>与目录数据库一致：{0} 个文本块</translation>
    </message>
    <message>
        <source>in step with the catalog: {0} vectors</source>
        <translation>与目录数据库一致：{0} 个向量</translation>
    </message>
    <message>
        <source>in step with the catalog: {0} vectors; of the 50 nearest it finds {1}%</source>
        <translation>与目录数据库一致：{0} 个向量；最近的 50 个中能找到 {1}%</translation>
    </message>
    <message>
        <source>indexes of {0}</source>
        <translation>{0} 的索引</translation>
    </message>
    <message>
        <source>its reader ended with {0}</source>
        <translation>读取进程以状态 {0} 结束</translation>
    </message>
    <message>
        <source>keywords, as the question found too little</source>
        <translation>关键词，因为问题本身找到的太少</translation>
    </message>
    <message>
        <source>left out: its passage does not support it</source>
        <translation>已舍去：所依据的段落不支持它</translation>
    </message>
    <message>
        <source>line {0} of {1}</source>
        <translation>{1} 的第 {0} 行</translation>
    </message>
    <message>
        <source>mail in {0}</source>
        <translation>{0} 中的邮件</translation>
    </message>
    <message>
        <source>model {0}</source>
        <translation>模型 {0}</translation>
    </message>
    <message>
        <source>not a program</source>
        <translation>不是程序</translation>
    </message>
    <message>
        <source>nothing else</source>
        <translation>没有其他</translation>
    </message>
    <message>
        <source>on: the built-in reader judges what the walk found; off: the walk&apos;s order alone.</source>
        <translation>on：由内置阅读模型评判游走找到的段落；off：只按游走的顺序。</translation>
    </message>
    <message>
        <source>one of {0}</source>
        <translation>{0} 之一</translation>
    </message>
    <message>
        <source>part of passage {0} ({1})</source>
        <translation>段落 {0} 的一部分（{1}）</translation>
    </message>
    <message>
        <source>passage {0} ({1})</source>
        <translation>段落 {0}（{1}）</translation>
    </message>
    <message>
        <source>question about “{0}”</source>
        <translation>关于“{0}”的问题</translation>
    </message>
    <message>
        <source>relevant {0}, supported {1}, useful {2}: {3}</source>
        <translation>相关 {0}，支持 {1}，有用 {2}：{3}</translation>
    </message>
    <message>
        <source>retrieve: {0}</source>
        <translation>检索：{0}</translation>
    </message>
    <message>
        <source>retrieved for {0} of {1} sentences ({2}%)</source>
        <translation>{1} 个句子中有 {0} 个检索过（{2}%）</translation>
    </message>
    <message>
        <source>round 1: the question</source>
        <translation>第 1 轮：原问题</translation>
    </message>
    <message>
        <source>round {0}</source>
        <translation>第 {0} 轮</translation>
    </message>
    <message>
        <source>round {0}: the question and what round {1} wrote</source>
        <translation>第 {0} 轮：原问题加上第 {1} 轮写出的内容</translation>
    </message>
    <message>
        <source>sentence {0}</source>
        <translation>第 {0} 句</translation>
    </message>
    <message>
        <source>sentence-transformers, which loads such models, is missing.</source>
        <translation>没有安装用于加载此类模型的 sentence-transformers。</translation>
    </message>
    <message>
        <source>set for {0}, and not used</source>
        <translation>为 {0} 设置，未使用</translation>
    </message>
    <message>
        <source>step {0}</source>
        <translation>第 {0} 步</translation>
    </message>
    <message>
        <source>step {0}, again</source>
        <translation>第 {0} 步，再试一次</translation>
    </message>
    <message>
        <source>sub-question {0}</source>
        <translation>子问题 {0}</translation>
    </message>
    <message>
        <source>the beginning of the answer</source>
        <translation>回答的开头</translation>
    </message>
    <message>
        <source>the model asks</source>
        <translation>模型要求检索</translation>
    </message>
    <message>
        <source>the model does not know</source>
        <translation>模型不知道</translation>
    </message>
    <message>
        <source>the passages do not say it</source>
        <translation>段落没有提到</translation>
    </message>
    <message>
        <source>the question</source>
        <translation>原问题</translation>
    </message>
    <message>
        <source>the question and the segment before</source>
        <translation>问题和上一个片段</translation>
    </message>
    <message>
        <source>the same keywords in “{0}”</source>
        <translation>在“{0}”中用同样的关键词</translation>
    </message>
    <message>
        <source>the sentence just written</source>
        <translation>刚写的句子</translation>
    </message>
    <message>
        <source>the window just written</source>
        <translation>刚写的一段</translation>
    </message>
    <message>
        <source>this model&apos;s vectors have {0} numbers</source>
        <translation>该模型的向量有 {0} 个数</translation>
    </message>
    <message>
        <source>unsure of all of it</source>
        <translation>对整句没有把握</translation>
    </message>
    <message>
        <source>unsure of “{0}” ({1})</source>
        <translation>对“{0}”没有把握（{1}）</translation>
    </message>
    <message>
        <source>up to “{0}”</source>
        <translation>写到“{0}”为止</translation>
    </message>
    <message>
        <source>v1 writes one query a hop; v2 samples queries and answers and lets them vote.</source>
        <translation>v1 每跳写一个查询；v2 采样多个查询和回答，由它们表决。</translation>
    </message>
    <message>
        <source>version {0} at {1}</source>
        <translation>版本 {0}，位于 {1}</translation>
    </message>
    <message>
        <source>what stands under these headings</source>
        <translation>这些标题之下的内容</translation>
    </message>
    <message>
        <source>what the graph leads to</source>
        <translation>图所通向的段落</translation>
    </message>
    <message>
        <source>what “{0}” leads to</source>
        <translation>“{0}”引出的内容</translation>
    </message>
    <message>
        <source>without an extension</source>
        <translation>无扩展名</translation>
    </message>
    <message>
        <source>{0} (runs at {1})</source>
        <translation>{0}（在 {1} 运行）</translation>
    </message>
    <message>
        <source>{0} A single pass is done instead.</source>
        <translation>{0}改为单次检索。</translation>
    </message>
    <message>
        <source>{0} Passages are compared in a simpler way.</source>
        <translation>{0} 将以较简单的方式比较段落。</translation>
    </message>
    <message>
        <source>{0} Passages are found by their words alone.</source>
        <translation>{0}段落仅按字词查找。</translation>
    </message>
    <message>
        <source>{0} Passages stay as the first searches order them.</source>
        <translation>{0}段落保持初步检索的顺序。</translation>
    </message>
    <message>
        <source>{0} The passages are shortened without it.</source>
        <translation>{0}因此不用模型来缩短段落。</translation>
    </message>
    <message>
        <source>{0} The sentence itself is searched with.</source>
        <translation>{0}改用句子本身检索。</translation>
    </message>
    <message>
        <source>{0} Until then “{1}” waits.</source>
        <translation>{0} 在此之前“{1}”等待处理。</translation>
    </message>
    <message>
        <source>{0} What came until then is kept.</source>
        <translation>{0}此前的内容已保留。</translation>
    </message>
    <message>
        <source>{0} What is answered without one, quotes, is measured.</source>
        <translation>{0} 因此只测量没有模型时的回答，即引文。</translation>
    </message>
    <message>
        <source>{0} Without it only quotes can be given.</source>
        <translation>{0}没有它时只能给出文档引文。</translation>
    </message>
    <message>
        <source>{0} answers at {1}, and fetches no models by itself.</source>
        <translation>在 {1} 响应的是 {0}，它不会自行下载模型。</translation>
    </message>
    <message>
        <source>{0} answers everybody who reaches it.</source>
        <translation>{0} 对任何能连上它的人都作出响应。</translation>
    </message>
    <message>
        <source>{0} can&apos;t be followed by this import: the knowledge base did not follow it, or none of its files is there now.</source>
        <translation>这次导入无法跟进 {0}：该知识库没有跟进过它，或者其中的文件现在都不在那里。</translation>
    </message>
    <message>
        <source>{0} can&apos;t be imported: {1}.</source>
        <translation>无法导入 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} can&apos;t be read: {1}.</source>
        <translation>无法读取 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} can&apos;t be written.</source>
        <translation>无法写入 {0}。</translation>
    </message>
    <message>
        <source>{0} can&apos;t be written: {1}.</source>
        <translation>无法写入 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} cannot be reached now ({1}).</source>
        <translation>现在无法访问 {0}（{1}）。</translation>
    </message>
    <message>
        <source>{0} cannot be reached now; what is known of its files is kept.</source>
        <translation>目前无法访问 {0}；其中文件的已有记录会保留。</translation>
    </message>
    <message>
        <source>{0} cannot be read.</source>
        <translation>无法读取 {0}。</translation>
    </message>
    <message>
        <source>{0} cannot be {1}.</source>
        <translation>{0} 不能为 {1}。</translation>
    </message>
    <message>
        <source>{0} cannot be “{1}”.</source>
        <translation>{0} 不能为“{1}”。</translation>
    </message>
    <message>
        <source>{0} cannot think.</source>
        <translation>{0} 不支持思考。</translation>
    </message>
    <message>
        <source>{0} could not be started: {1}.</source>
        <translation>无法启动 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} could not be written: {1}.</source>
        <translation>无法写入 {0}：{1}。</translation>
    </message>
    <message>
        <source>{0} documents are too many to be compared.</source>
        <translation>{0} 份文档太多，不能一起比较。</translation>
    </message>
    <message>
        <source>{0} documents are too many to be read whole at a time.</source>
        <translation>{0} 份文档太多，不能一次全部通读。</translation>
    </message>
    <message>
        <source>{0} documents to choose from: {1}{2}</source>
        <translation>可选的文档有 {0} 个：{1}{2}</translation>
    </message>
    <message>
        <source>{0} documents with very large tables were left out.</source>
        <translation>有 {0} 个文档的表格过大，未计入。</translation>
    </message>
    <message>
        <source>{0} does not search.</source>
        <translation>{0} 不做检索。</translation>
    </message>
    <message>
        <source>{0} files are left out: {1}.</source>
        <translation>有 {0} 个文件未包含：{1}。</translation>
    </message>
    <message>
        <source>{0} files are not read yet, among them {1}: the answer may stand in them.</source>
        <translation>还有 {0} 个文件尚未读取，其中包括 {1}；答案可能就在这些文件中。</translation>
    </message>
    <message>
        <source>{0} files are there in part: {1}.</source>
        <translation>有 {0} 个文件只包含了一部分：{1}。</translation>
    </message>
    <message>
        <source>{0} files could not be read: the answer may stand in them.</source>
        <translation>有 {0} 个文件无法读取：答案可能就在其中。</translation>
    </message>
    <message>
        <source>{0} files {1} are kept since the catalog was recovered, and hold text.</source>
        <translation>有 {0} 个文件 {1} 是恢复目录数据库后保留下来的，其中有文本。</translation>
    </message>
    <message>
        <source>{0} from {1} to {2}</source>
        <translation>{0}，从 {1} 到 {2}</translation>
    </message>
    <message>
        <source>{0} has no model that answers.</source>
        <translation>{0} 没有可用于回答的模型。</translation>
    </message>
    <message>
        <source>{0} has no option {1}.</source>
        <translation>{0} 没有选项 {1}。</translation>
    </message>
    <message>
        <source>{0} headings of {1} documents to choose from: {2}{3}</source>
        <translation>{1} 个文档中可选的标题有 {0} 个：{2}{3}</translation>
    </message>
    <message>
        <source>{0} holds no passages.</source>
        <translation>{0} 中没有段落。</translation>
    </message>
    <message>
        <source>{0} holds no questions.</source>
        <translation>{0} 中没有问题。</translation>
    </message>
    <message>
        <source>{0} in the archive was not read: {1}</source>
        <translation>压缩包中的 {0} 未读取：{1}</translation>
    </message>
    <message>
        <source>{0} in the archive: {1}</source>
        <translation>压缩包中的 {0}：{1}</translation>
    </message>
    <message>
        <source>{0} is an option of no transform that is used.</source>
        <translation>{0} 不属于所用的任何变换。</translation>
    </message>
    <message>
        <source>{0} is damaged, or is no export of Desktop RAG: {1} can&apos;t be read{2}.</source>
        <translation>{0} 已损坏，或不是 Desktop RAG 的导出文件：无法读取{1}{2}。</translation>
    </message>
    <message>
        <source>{0} is incomplete.</source>
        <translation>{0} 不完整。</translation>
    </message>
    <message>
        <source>{0} is kept since the catalog was recovered, and holds text.</source>
        <translation>{0} 是恢复目录数据库后保留下来的，其中有文本。</translation>
    </message>
    <message>
        <source>{0} is neither a file nor a folder.</source>
        <translation>{0} 既不是文件也不是文件夹。</translation>
    </message>
    <message>
        <source>{0} is no folder that can be reached.</source>
        <translation>{0} 不是可以访问的文件夹。</translation>
    </message>
    <message>
        <source>{0} is no longer there.</source>
        <translation>{0} 已不在原处。</translation>
    </message>
    <message>
        <source>{0} is not an address of Ollama.</source>
        <translation>{0} 不是 Ollama 的地址。</translation>
    </message>
    <message>
        <source>{0} is not in a knowledge base.</source>
        <translation>{0} 不在任何知识库中。</translation>
    </message>
    <message>
        <source>{0} is not in “{1}”.</source>
        <translation>{0} 不在“{1}”中。</translation>
    </message>
    <message>
        <source>{0} is not indexed.</source>
        <translation>{0} 尚未建立索引。</translation>
    </message>
    <message>
        <source>{0} is on or off, not “{1}”.</source>
        <translation>{0} 只能开或关，不能为“{1}”。</translation>
    </message>
    <message>
        <source>{0} is there already.</source>
        <translation>{0} 已经存在。</translation>
    </message>
    <message>
        <source>{0} is {1}, not “{2}”.</source>
        <translation>{0} 应为{1}，而不是“{2}”。</translation>
    </message>
    <message>
        <source>{0} may not be read by your user account.</source>
        <translation>您的用户帐户无权读取 {0}。</translation>
    </message>
    <message>
        <source>{0} needs a language model; a single pass is done instead.</source>
        <translation>{0}需要语言模型，已改为单次检索。</translation>
    </message>
    <message>
        <source>{0} of the files and folders are not there, such as {1}.</source>
        <translation>有 {0} 个文件或文件夹不在原处，例如 {1}。</translation>
    </message>
    <message>
        <source>{0} of the {1} passages of this answer are of documents that are gone or have changed: it was continued without them.</source>
        <translation>该回答的 {1} 个段落中，有 {0} 个所属的文档已不存在或已更改：继续写时未使用它们。</translation>
    </message>
    <message>
        <source>{0} of {1} documents are prepared for “{2}”; the others are found by their text.</source>
        <translation>{1} 个文档中有 {0} 个已为“{2}”预处理；其余按文字查找。</translation>
    </message>
    <message>
        <source>{0} of {1} followed folders and files are not on this computer. Their text can be searched and quoted; add them again where they are here to keep up with their changes.</source>
        <translation>{1} 个跟进的文件夹和文件中有 {0} 个不在这台电脑上。它们的文本可以检索和引用；若要跟进变化，请在本机的对应位置重新添加。</translation>
    </message>
    <message>
        <source>{0} of {1} pages are damaged and were not read.</source>
        <translation>{1} 页中有 {0} 页已损坏，未读取。</translation>
    </message>
    <message>
        <source>{0} of {1} pages are pictures without text and were not read.</source>
        <translation>{1} 页中有 {0} 页是没有文字的图片，未读取。</translation>
    </message>
    <message>
        <source>{0} of {1} pages have letters that cannot be told.</source>
        <translation>{1} 页中有 {0} 页的文字无法识别。</translation>
    </message>
    <message>
        <source>{0} of {1} passages answer best.</source>
        <translation>{1} 个段落中有 {0} 个最能回答问题。</translation>
    </message>
    <message>
        <source>{0} of {1} recognised pages were hard to read.</source>
        <translation>识别的 {1} 页中有 {0} 页看不清，文字可能有误。</translation>
    </message>
    <message>
        <source>{0} of {1} strips kept</source>
        <translation>{1} 条中保留 {0} 条</translation>
    </message>
    <message>
        <source>{0} of {1} vectors are in Chroma, {2} changes are to come</source>
        <translation>Chroma 中有 {0} 个向量，共 {1} 个，还有 {2} 项变更待写入</translation>
    </message>
    <message>
        <source>{0} of {1} were answered before; the run goes on.</source>
        <translation>{1} 个中有 {0} 个以前已经回答；现在接着做。</translation>
    </message>
    <message>
        <source>{0} of {1} worked examples</source>
        <translation>{1} 个示例中的 {0} 个</translation>
    </message>
    <message>
        <source>{0} passages are fewer than the {1} that the questions need.</source>
        <translation>{0} 个段落少于问题所需的 {1} 个。</translation>
    </message>
    <message>
        <source>{0} passages were read, of {1} in the index: a question that counts, lists or sums up may need more of them.</source>
        <translation>已阅读 {0} 个段落，而索引中共有 {1} 个：计数、列举或汇总类问题可能需要更多段落。</translation>
    </message>
    <message>
        <source>{0} references lead nowhere.</source>
        <translation>有 {0} 处引用没有指向。</translation>
    </message>
    <message>
        <source>{0} runs at {1}</source>
        <translation>{0} 在 {1} 运行</translation>
    </message>
    <message>
        <source>{0} runs at {1}, not on this computer: questions and passages of your documents would be sent there.</source>
        <translation>{0} 运行在 {1}，不在这台电脑上：问题和文档段落会发送到那里。</translation>
    </message>
    <message>
        <source>{0} runs in Ollama&apos;s cloud, where you are not signed in.</source>
        <translation>{0} 在 Ollama 的云端运行，而您还没有用 ollama signin 连接。</translation>
    </message>
    <message>
        <source>{0} runs in Ollama&apos;s cloud, which is switched off there.</source>
        <translation>{0} 在 Ollama 的云端运行，而云端已关闭。</translation>
    </message>
    <message>
        <source>{0} starts half-written answers over, so it was asked in words to go on; strategies that continue their own text work better with another model.</source>
        <translation>{0} 会从头重写未完成的回答，因此改用文字请求它继续；对需要续写的策略，换用其他模型效果更好。</translation>
    </message>
    <message>
        <source>{0} took in only {1} of about {2} prompt tokens: its context holds {3}{4}. {5}</source>
        <translation>{0} 只读入了约 {2} 个提示 token 中的 {1} 个：它的上下文长度为 {3}{4}。{5}</translation>
    </message>
    <message>
        <source>{0} vectors have another length than the embedding model&apos;s and are not used.</source>
        <translation>有 {0} 个向量的长度与嵌入模型不符，未被使用。</translation>
    </message>
    <message>
        <source>{0} was exported by a newer version of Desktop RAG.</source>
        <translation>{0} 由更新版本的 Desktop RAG 导出。</translation>
    </message>
    <message>
        <source>{0}, again</source>
        <translation>{0}（重试）</translation>
    </message>
    <message>
        <source>{0}, in step since {1}.</source>
        <translation>{0}，自 {1} 起一致。</translation>
    </message>
    <message>
        <source>{0}, the best sentences of the others: {1}.</source>
        <translation>{0}，其余段落最相关的句子：{1}。</translation>
    </message>
    <message>
        <source>{0}, which does not answer since {1}.</source>
        <translation>{0}，自 {1} 起没有响应。</translation>
    </message>
    <message>
        <source>{0}, with which this program is known to the Chroma server, can&apos;t be read.</source>
        <translation>无法读取 {0}：Chroma 服务器靠它认出本程序。</translation>
    </message>
    <message>
        <source>{0}: quotes alone were given. {1}</source>
        <translation>{0}：只给出了引文。{1}</translation>
    </message>
    <message>
        <source>{0}: the built-in reader does not read this question; passages stay as they are found.</source>
        <translation>{0}：内置阅读模型读不了这个问题；段落保持检索时的顺序。</translation>
    </message>
    <message>
        <source>{0}: the model listed none. {1}</source>
        <translation>{0}：模型没有列出任何内容。{1}</translation>
    </message>
    <message>
        <source>{0}: the model wrote no document. {1}</source>
        <translation>{0}：模型没有写出文档。{1}</translation>
    </message>
    <message>
        <source>{0}: the model wrote no passage. {1}</source>
        <translation>{0}：模型没有写出段落。{1}</translation>
    </message>
    <message>
        <source>{0}: the model wrote nothing that can be searched for. {1}</source>
        <translation>{0}：模型没有写出可以检索的内容。{1}</translation>
    </message>
    <message>
        <source>{0}; {1} GB</source>
        <translation>{0}；{1} GB</translation>
    </message>
    <message>
        <source>{0}={1} is not possible.</source>
        <translation>{0} 不能取值 {1}。</translation>
    </message>
    <message>
        <source>{0}{1} Needs {2}.</source>
        <translation>{0}{1} 需要{2}。</translation>
    </message>
    <message>
        <source>“{0}” follows {1} by itself already.</source>
        <translation>“{0}”自己已在跟随 {1}。</translation>
    </message>
    <message>
        <source>“{0}” has {1} questions with an answer and one passage; {2} are needed.</source>
        <translation>“{0}”中有答案且只有一个段落的问题有 {1} 个；至少需要 {2} 个。</translation>
    </message>
    <message>
        <source>“{0}” holds no settings.</source>
        <translation>“{0}”中没有设置。</translation>
    </message>
    <message>
        <source>“{0}” is a folder.</source>
        <translation>“{0}”是一个文件夹。</translation>
    </message>
    <message>
        <source>“{0}” is in another knowledge base: “{1}”.</source>
        <translation>“{0}”在另一个知识库“{1}”中。</translation>
    </message>
    <message>
        <source>“{0}” is more than one setting.</source>
        <translation>“{0}”对应多个设置项。</translation>
    </message>
    <message>
        <source>“{0}” is no date.</source>
        <translation>“{0}”不是日期。</translation>
    </message>
    <message>
        <source>“{0}” is no filter.</source>
        <translation>“{0}”不是过滤条件。</translation>
    </message>
    <message>
        <source>“{0}” is no number of pages.</source>
        <translation>“{0}”不是页数。</translation>
    </message>
    <message>
        <source>“{0}” is no setting of this version that is kept.</source>
        <translation>“{0}”不是此版本会保存的设置。</translation>
    </message>
    <message>
        <source>“{0}” is not in this knowledge base.</source>
        <translation>“{0}”不在该知识库中。</translation>
    </message>
    <message>
        <source>“{0}” is not measured: nothing is prepared for it in “{1}”.</source>
        <translation>不测量“{0}”：“{1}”中没有为它做过预处理。</translation>
    </message>
    <message>
        <source>“{0}” is not measured: these documents are not prepared. Add documents to a knowledge base, prepare that, and measure on questions of your own.</source>
        <translation>不测量“{0}”：这些文档没有预处理。请把文档加入一个知识库，对它做预处理，然后用您自己的问题来测量。</translation>
    </message>
    <message>
        <source>“{0}” is not shared.</source>
        <translation>“{0}”没有共享。</translation>
    </message>
    <message>
        <source>“{0}” is on the server no more: somebody took it off.</source>
        <translation>“{0}”已不在服务器上：有人把它撤下了。</translation>
    </message>
    <message>
        <source>“{0}” is “{1}” at {2}</source>
        <translation>“{0}”即 {2} 上的“{1}”</translation>
    </message>
    <message>
        <source>“{0}” takes about {1} min more for {2} passages, measured on the first {3}. It can be stopped at any time, and goes on from there.</source>
        <translation>按前 {3} 个段落估计，“{0}”还需约 {1} 分钟处理 {2} 个段落。可以随时停止，之后接着做。</translation>
    </message>
    <message>
        <source>“{0}” waits to be read.</source>
        <translation>“{0}”正在等待读取。</translation>
    </message>
    <message>
        <source>“{0}” was excluded from this knowledge base.</source>
        <translation>“{0}”已从该知识库中排除。</translation>
    </message>
    <message>
        <source>“{0}” was read; this is passage {1} of {2} in it.</source>
        <translation>“{0}”已读取；这是其中 {2} 个段落的第 {1} 个。</translation>
    </message>
</context>
<context>
    <name>StageList</name>
    <message>
        <source>The passage&apos;s way, stage by stage</source>
        <translation>该段落经过的各个环节</translation>
    </message>
</context>
<context>
    <name>Standing</name>
    <message>
        <source>The file is no longer there. This is its text as it was last read.</source>
        <translation>文件已不在原处。这里是上次读取的文本。</translation>
    </message>
    <message>
        <source>The file has changed since it was read. This is the text as it was read.</source>
        <translation>文件在读取之后已更改。这里是读取时的文本。</translation>
    </message>
    <message>
        <source>The document has changed since. The quote was found again: %1.</source>
        <translation>文档之后有改动。已重新找到引文：%1。</translation>
    </message>
    <message>
        <source>The document has changed since. This is much like the quote: %1.</source>
        <translation>文档之后有改动。这里的文字与引文相近：%1。</translation>
    </message>
    <message>
        <source>The document has changed since, and the quote is not in it any more. This is the passage as the conversation kept it.</source>
        <translation>文档之后有改动，其中已没有这段引文。这里是对话中保存的段落。</translation>
    </message>
    <message>
        <source>The document is not here any more. This is the passage as the conversation kept it.</source>
        <translation>文档已不在这里。这里是对话中保存的段落。</translation>
    </message>
    <message>
        <source>The index no longer holds this document: the file was changed or taken out. This is the passage as the conversation kept it.</source>
        <translation>索引中已没有此文档：文件已更改或移除。这里是对话中保存的段落。</translation>
    </message>
    <message>
        <source>The index holds no text of this file.</source>
        <translation>索引中没有此文件的文本。</translation>
    </message>
    <message>
        <source>Open the file as it is now</source>
        <translation>打开文件的当前版本</translation>
    </message>
</context>
<context>
    <name>StrategyCombo</name>
    <message>
        <source>Way to answer</source>
        <translation>回答方式</translation>
    </message>
    <message>
        <source>How the question is researched</source>
        <translation>问题如何检索</translation>
    </message>
    <message>
        <source>Choose the way yourself</source>
        <translation>自行选择方式</translation>
    </message>
    <message>
        <source>Recipes of a study</source>
        <translation>一项研究的配方</translation>
    </message>
</context>
<context>
    <name>StrategyTips</name>
    <message>
        <source>The model tidies the question up before it is searched.</source>
        <translation>检索前由模型整理问题。</translation>
    </message>
    <message>
        <source>The model makes up an answer; what is like it is found as well.</source>
        <translation>由模型拟一个回答，与它相似的段落也会找到。</translation>
    </message>
    <message>
        <source>The model makes up a text that is put behind the question.</source>
        <translation>由模型拟一段文字，放在问题之后。</translation>
    </message>
    <message>
        <source>The question is searched in several wordings.</source>
        <translation>用多种说法检索问题。</translation>
    </message>
    <message>
        <source>A more general question is searched as well.</source>
        <translation>同时检索一个更一般的问题。</translation>
    </message>
    <message>
        <source>The parts of the question are answered first, one after the other.</source>
        <translation>先逐一回答问题的各个部分。</translation>
    </message>
    <message>
        <source>Only documents that the question speaks of are searched.</source>
        <translation>只检索问题提到的文档。</translation>
    </message>
    <message>
        <source>Passages that surely answer stand beside those that are like the question.</source>
        <translation>除与问题相似的段落外，还给出确实能回答问题的段落。</translation>
    </message>
    <message>
        <source>The answer is checked by questions of its own, and written anew.</source>
        <translation>用几个问题核对回答，然后重新写。</translation>
    </message>
    <message>
        <source>Needs a language model.</source>
        <translation>需要语言模型。</translation>
    </message>
    <message>
        <source>Needs no language model: without one the answer is quotes.</source>
        <translation>不需要语言模型：没有模型时以引文作答。</translation>
    </message>
    <message>
        <source>Searches once, and answers from what was found.</source>
        <translation>检索一次，根据找到的内容作答。</translation>
    </message>
    <message>
        <source>Costs 1 search and 1 call of the model.</source>
        <translation>花费：检索 1 次，调用模型 1 次。</translation>
    </message>
    <message>
        <source>Searches once, reasons aloud, then answers.</source>
        <translation>检索一次，先写出推理，再作答。</translation>
    </message>
    <message>
        <source>Costs 1 search and 1 longer call.</source>
        <translation>花费：检索 1 次，较长的调用 1 次。</translation>
    </message>
    <message>
        <source>Tells how many steps a question needs, and researches it so.</source>
        <translation>判断问题需要几步，并照此检索。</translation>
    </message>
    <message>
        <source>Costs what the one it chooses costs.</source>
        <translation>花费与所选策略相同。</translation>
    </message>
    <message>
        <source>Asks the model, and keeps the sentences that your documents support.</source>
        <translation>让模型作答，只保留您的文档支持的句子。</translation>
    </message>
    <message>
        <source>Costs 1 call, and a search a sentence.</source>
        <translation>花费：调用 1 次，每句检索 1 次。</translation>
    </message>
    <message>
        <source>Lets the model reason, and keeps what your documents support of it.</source>
        <translation>让模型推理，只保留您的文档支持的内容。</translation>
    </message>
    <message>
        <source>Costs 1 longer call, and a search a sentence.</source>
        <translation>花费：较长的调用 1 次，每句检索 1 次。</translation>
    </message>
    <message>
        <source>Needs no language model; a Chinese question is searched once.</source>
        <translation>不需要语言模型；中文问题只检索一次。</translation>
    </message>
    <message>
        <source>Follows what the best passages name, for questions over several.</source>
        <translation>顺着最佳段落提到的名称继续查找，适合涉及多个段落的问题。</translation>
    </message>
    <message>
        <source>Costs 4 searches and 1 call.</source>
        <translation>花费：检索 4 次，调用 1 次。</translation>
    </message>
    <message>
        <source>Counts and sums over whole tables; else searches once.</source>
        <translation>对整个表格计数、求和；否则检索一次。</translation>
    </message>
    <message>
        <source>Needs no language model; with one, it writes queries that are not understood.</source>
        <translation>不需要语言模型；有模型时，由它为未识别的问题写查询。</translation>
    </message>
    <message>
        <source>Costs 1 search, a query, and at times 1 call.</source>
        <translation>花费 1 次检索、1 次查询，有时 1 次模型调用。</translation>
    </message>
    <message>
        <source>Searches again with what a small reader marked as useful.</source>
        <translation>用小型阅读器标出的有用内容再次检索。</translation>
    </message>
    <message>
        <source>Costs up to 4 searches, and 1 call.</source>
        <translation>花费：检索最多 4 次，调用 1 次。</translation>
    </message>
    <message>
        <source>Picks headings from the tables of contents, without vectors.</source>
        <translation>不用向量，从目录中选出标题。</translation>
    </message>
    <message>
        <source>Needs no language model: without one the built-in reader picks.</source>
        <translation>不需要语言模型：没有时由内置阅读器选择。</translation>
    </message>
    <message>
        <source>Costs 1 search, and 2 or 3 calls of the model.</source>
        <translation>需要 1 次检索和 2 或 3 次模型调用。</translation>
    </message>
    <message>
        <source>Needs no language model, but a knowledge base that is prepared for it.</source>
        <translation>不需要语言模型，但知识库要为此做过预处理。</translation>
    </message>
    <message>
        <source>Finds passages by the questions that they answer, too.</source>
        <translation>还按段落能回答的问题来查找。</translation>
    </message>
    <message>
        <source>Finds passages by each of their facts, too.</source>
        <translation>还按段落中的每个事实来查找。</translation>
    </message>
    <message>
        <source>Finds passages by summaries of what belongs together, too.</source>
        <translation>还按相关内容的摘要来查找。</translation>
    </message>
    <message>
        <source>Finds passages by several aspects: each attention head of the embedder votes.</source>
        <translation>从多个方面查找段落：嵌入模型的每个注意力头都投票。</translation>
    </message>
    <message>
        <source>Follows the names in the question to passages that share names.</source>
        <translation>从问题中的名称出发，找到含有相同名称的段落。</translation>
    </message>
    <message>
        <source>Costs 2 searches and 1 call of the model.</source>
        <translation>需要 2 次搜索和 1 次模型调用。</translation>
    </message>
    <message>
        <source>Searches again with each answer that it drafts.</source>
        <translation>用每次写出的草稿再次检索。</translation>
    </message>
    <message>
        <source>Costs 3 searches and 3 calls.</source>
        <translation>花费：检索 3 次，调用 3 次。</translation>
    </message>
    <message>
        <source>Thinks a sentence, searches with it, and so on; then answers.</source>
        <translation>思考一句，用它检索，如此往复，最后作答。</translation>
    </message>
    <message>
        <source>Costs up to 10 searches and 11 calls.</source>
        <translation>花费：检索最多 10 次，调用最多 11 次。</translation>
    </message>
    <message>
        <source>Asks itself follow-up questions, and answers each by a search.</source>
        <translation>向自己提出追问，逐一检索作答。</translation>
    </message>
    <message>
        <source>Costs up to 5 searches and 11 calls.</source>
        <translation>花费：检索最多 5 次，调用最多 11 次。</translation>
    </message>
    <message>
        <source>Thinks, searches or looks a word up, and thinks again.</source>
        <translation>思考，检索或查找字词，再思考。</translation>
    </message>
    <message>
        <source>Costs up to 7 searches, and 8 calls or some more.</source>
        <translation>花费：检索最多 7 次，调用约 8 次或稍多。</translation>
    </message>
    <message>
        <source>Writes a query, searches, and writes the next from what was found.</source>
        <translation>写出检索词并检索，再根据所得写出下一个。</translation>
    </message>
    <message>
        <source>Costs 2 searches and 3 calls.</source>
        <translation>花费：检索 2 次，调用 3 次。</translation>
    </message>
    <message>
        <source>Needs a language model that tells how sure it is of each word.</source>
        <translation>需要能给出每个词的概率的语言模型。</translation>
    </message>
    <message>
        <source>Drafts each sentence, and searches where the model is unsure of it.</source>
        <translation>逐句起草，模型不确定时再检索。</translation>
    </message>
    <message>
        <source>Costs 1 call a sentence; where unsure, a search and a call more.</source>
        <translation>花费：每句调用 1 次；不确定时再检索 1 次、调用 1 次。</translation>
    </message>
    <message>
        <source>Lets the model say, while it writes, what to search for.</source>
        <translation>让模型在写作时自行说出要检索什么。</translation>
    </message>
    <message>
        <source>Costs up to 6 searches, and a call for each.</source>
        <translation>花费：检索最多 6 次，每次调用 1 次。</translation>
    </message>
    <message>
        <source>Searches with each sentence written, for the next one.</source>
        <translation>用写出的每一句检索，再写下一句。</translation>
    </message>
    <message>
        <source>Costs a search and a call a sentence.</source>
        <translation>花费：每句检索 1 次、调用 1 次。</translation>
    </message>
    <message>
        <source>Searches with the last few words, every few words.</source>
        <translation>每写几个词，就用它们检索一次。</translation>
    </message>
    <message>
        <source>Costs a search and a call every 16 tokens: many.</source>
        <translation>花费：每 16 个 token 检索 1 次、调用 1 次，次数很多。</translation>
    </message>
    <message>
        <source>Writes from each passage apart, and keeps what is well supported.</source>
        <translation>分别根据每个段落写作，保留依据充分的内容。</translation>
    </message>
    <message>
        <source>Costs several calls for each passage of each part: the most of all.</source>
        <translation>花费：每一部分的每个段落都要多次调用，是所有策略中最多的。</translation>
    </message>
    <message>
        <source>Judges what was found, and searches more widely where it is poor.</source>
        <translation>评判找到的内容，不理想时扩大检索。</translation>
    </message>
    <message>
        <source>Costs 1 to 5 searches, and 1 or 2 calls or a few more.</source>
        <translation>花费：检索 1 至 5 次，调用 1 至 2 次或稍多。</translation>
    </message>
</context>
<context>
    <name>SuggestionRow</name>
    <message>
        <source>Fetch</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Fetch %1</source>
        <translation>下载 %1</translation>
    </message>
    <message>
        <source>installed</source>
        <translation>已安装</translation>
    </message>
    <message>
        <source>%1 to fetch, for %2 of memory.</source>
        <translation>需下载 %1，占用内存 %2。</translation>
    </message>
    <message>
        <source>This computer has less.</source>
        <translation>这台电脑的内存不足。</translation>
    </message>
    <message>
        <source>A good choice for this computer.</source>
        <translation>适合这台电脑。</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
</context>
<context>
    <name>TableDialog</name>
    <message>
        <source>Save as table</source>
        <translation>保存为表格</translation>
    </message>
    <message>
        <source>Table for any program (*.csv)</source>
        <translation>通用表格 (*.csv)</translation>
    </message>
    <message>
        <source>Excel workbook (*.xlsx)</source>
        <translation>Excel 工作簿 (*.xlsx)</translation>
    </message>
</context>
<context>
    <name>TablePresenter</name>
    <message>
        <source>Too many cells were selected: %1 rows were not copied.</source>
        <translation>选中的单元格过多：有 %1 行未复制。</translation>
    </message>
</context>
<context>
    <name>Tables</name>
    <message>
        <source>The result rests on all %1 rows.</source>
        <translation>结果依据全部 %1 行。</translation>
    </message>
    <message>
        <source>The result rests on %1 of %2 rows.</source>
        <translation>结果依据 %2 行中的 %1 行。</translation>
    </message>
    <message>
        <source>The columns that were read are marked.</source>
        <translation>所读取的列已标出。</translation>
    </message>
    <message>
        <source>They are marked.</source>
        <translation>这些行已标出。</translation>
    </message>
</context>
<context>
    <name>TextView</name>
    <message>
        <source>Text of the document</source>
        <translation>文档文本</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Sources</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>复制表格</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
    <message>
        <source>Click to open it there</source>
        <translation>点击可在原处打开</translation>
    </message>
    <message>
        <source>Source %1</source>
        <translation>来源 %1</translation>
    </message>
    <message>
        <source>No quote was found for this sentence in the passages that were read: it may come from the language model.</source>
        <translation>在已读取的段落中没有找到这句话的原文依据，它可能出自语言模型。</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Thought %1</source>
        <translation>思考 %1</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>检索</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>找到</translation>
    </message>
    <message>
        <source>Leads on</source>
        <translation>引向</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Earlier answer</source>
        <translation>先前的回答</translation>
    </message>
    <message>
        <source>Asked</source>
        <translation>提问对象</translation>
    </message>
    <message>
        <source>Elsewhere</source>
        <translation>别处</translation>
    </message>
    <message>
        <source>Model call</source>
        <translation>模型调用</translation>
    </message>
    <message>
        <source>Notice</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>%1, chosen by the question among %n knowledge bases</source>
        <translation>%1，由问题从 %n 个知识库中选出</translation>
    </message>
    <message>
        <source>Least sure of: %1</source>
        <translation>最不确定：%1</translation>
    </message>
    <message>
        <source>“%1”: the model gave it %2</source>
        <translation>“%1”：模型给出的概率为 %2</translation>
    </message>
    <message>
        <source>reranked %1</source>
        <translation>重排 %1</translation>
    </message>
    <message>
        <source>fused #%1</source>
        <translation>融合第 %1 名</translation>
    </message>
    <message>
        <source>meaning #%1</source>
        <translation>语义第 %1 名</translation>
    </message>
    <message>
        <source>words #%1</source>
        <translation>词语第 %1 名</translation>
    </message>
    <message>
        <source>age ×%1</source>
        <translation>新旧 ×%1</translation>
    </message>
    <message>
        <source>dropped</source>
        <translation>舍弃</translation>
    </message>
    <message>
        <source>source %1</source>
        <translation>来源 %1</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>chance of being the starting point: %1</source>
        <translation>作为起点的概率：%1</translation>
    </message>
    <message>
        <source>mentions “%1”</source>
        <translation>提到“%1”</translation>
    </message>
    <message>
        <source>shared words</source>
        <translation>有共同字词</translation>
    </message>
    <message>
        <source>also found by the question</source>
        <translation>问题本身也找到</translation>
    </message>
    <message>
        <source>%1 tokens read, %2 written</source>
        <translation>读入 %1 个 token，写出 %2 个</translation>
    </message>
    <message>
        <source>%1 s in the model</source>
        <translation>模型用时 %1 秒</translation>
    </message>
    <message>
        <source>Draft, kept</source>
        <translation>草稿，保留</translation>
    </message>
    <message>
        <source>Draft, not kept</source>
        <translation>草稿，未保留</translation>
    </message>
    <message>
        <source>Draft, searched with</source>
        <translation>草稿，用于检索</translation>
    </message>
    <message>
        <source>Draft, searched again</source>
        <translation>草稿，重新检索</translation>
    </message>
    <message>
        <source>Question understood as</source>
        <translation>问题理解为</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Sub-question</source>
        <translation>子问题</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>判断</translation>
    </message>
    <message>
        <source>Another wording</source>
        <translation>另一种说法</translation>
    </message>
    <message>
        <source>More general question</source>
        <translation>更一般的问题</translation>
    </message>
    <message>
        <source>Rewritten</source>
        <translation>改写</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Shortened</source>
        <translation>已缩短</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>概括</translation>
    </message>
    <message>
        <source>Found by</source>
        <translation>匹配到</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>Small talk</source>
        <translation>闲聊</translation>
    </message>
    <message>
        <source>Utility</source>
        <translation>有用程度</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>阅读</translation>
    </message>
    <message>
        <source>Joining notes</source>
        <translation>合并记录</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Point of comparison</source>
        <translation>比较的要点</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>没有找到</translation>
    </message>
    <message>
        <source>1 passage</source>
        <translation>1 个段落</translation>
    </message>
    <message>
        <source>%n passages</source>
        <translation>%n 个段落</translation>
    </message>
    <message>
        <source>%1 kept</source>
        <translation>保留 %1 个</translation>
    </message>
    <message>
        <source>written by the model</source>
        <translation>由模型写出</translation>
    </message>
    <message>
        <source>read from the question</source>
        <translation>由问题得出</translation>
    </message>
    <message>
        <source>over %1 rows</source>
        <translation>共 %1 行</translation>
    </message>
    <message>
        <source>… and %1 more rows</source>
        <translation>……另有 %1 行</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>a summary of passages</source>
        <translation>段落的摘要</translation>
    </message>
    <message>
        <source>follow-up understood</source>
        <translation>理解追问</translation>
    </message>
    <message>
        <source>answer continued</source>
        <translation>继续写回答</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>reasoning</source>
        <translation>推理</translation>
    </message>
    <message>
        <source>looking a sentence ahead</source>
        <translation>预写下一句</translation>
    </message>
    <message>
        <source>written anew</source>
        <translation>重写</translation>
    </message>
    <message>
        <source>written from the passages</source>
        <translation>依据段落写出</translation>
    </message>
    <message>
        <source>the next words</source>
        <translation>接下来的字词</translation>
    </message>
    <message>
        <source>the next sentence</source>
        <translation>下一句</translation>
    </message>
    <message>
        <source>a part of the answer</source>
        <translation>回答的一部分</translation>
    </message>
    <message>
        <source>is a search needed?</source>
        <translation>是否需要检索？</translation>
    </message>
    <message>
        <source>how well is it supported?</source>
        <translation>依据是否充分？</translation>
    </message>
    <message>
        <source>how many steps are needed?</source>
        <translation>需要几步？</translation>
    </message>
    <message>
        <source>keywords</source>
        <translation>关键词</translation>
    </message>
    <message>
        <source>passages summarised</source>
        <translation>概括段落</translation>
    </message>
    <message>
        <source>passages judged</source>
        <translation>评判段落</translation>
    </message>
    <message>
        <source>parts of passages judged</source>
        <translation>评判段落的片段</translation>
    </message>
    <message>
        <source>a made-up document</source>
        <translation>虚构的文档</translation>
    </message>
    <message>
        <source>a filter for documents</source>
        <translation>文档过滤条件</translation>
    </message>
    <message>
        <source>documents chosen</source>
        <translation>选择文档</translation>
    </message>
    <message>
        <source>headings chosen</source>
        <translation>选择标题</translation>
    </message>
    <message>
        <source>notes taken</source>
        <translation>做记录</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>概括</translation>
    </message>
    <message>
        <source>points of comparison</source>
        <translation>比较的要点</translation>
    </message>
    <message>
        <source>a point compared</source>
        <translation>比较一个要点</translation>
    </message>
    <message>
        <source>a query over tables</source>
        <translation>对表格的查询</translation>
    </message>
    <message>
        <source>what the model knows itself</source>
        <translation>模型自身所知</translation>
    </message>
    <message>
        <source>%1, again</source>
        <translation>%1（重试）</translation>
    </message>
    <message>
        <source>did not fit: %1</source>
        <translation>放不下：%1</translation>
    </message>
    <message>
        <source>Model calls in all</source>
        <translation>模型调用合计</translation>
    </message>
    <message>
        <source>Hide them</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show them</source>
        <translation>展开</translation>
    </message>
    <message>
        <source>Words under which there is a line are those the model was less sure of:</source>
        <translation>带下划线的字词是模型不太确定的：</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>低于 %1</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>The answer is there.</source>
        <translation>回答已完成。</translation>
    </message>
    <message>
        <source>Searching your documents…</source>
        <translation>正在检索文档…</translation>
    </message>
    <message>
        <source>Reading the passages…</source>
        <translation>正在阅读段落…</translation>
    </message>
    <message>
        <source>Researching step by step…</source>
        <translation>正在逐步查找资料…</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在撰写…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>没有回答</translation>
    </message>
    <message>
        <source>There is nothing to search yet: no file has been read</source>
        <translation>还没有可检索的内容：尚未读取任何文件</translation>
    </message>
    <message>
        <source>There is nothing to search yet: add files or a folder</source>
        <translation>还没有可检索的内容：请添加文件或文件夹</translation>
    </message>
    <message>
        <source>Unfinished: the language model broke off</source>
        <translation>未完成：语言模型中途断开</translation>
    </message>
    <message>
        <source>A ready-made reply: nothing was searched</source>
        <translation>现成的答复：没有检索任何内容</translation>
    </message>
    <message>
        <source>Calculated from the tables of your documents</source>
        <translation>根据您文档中的表格计算得出</translation>
    </message>
    <message>
        <source>Written by the language model</source>
        <translation>由语言模型撰写</translation>
    </message>
    <message>
        <source>Quotes from your documents, no language model</source>
        <translation>文档引文，未使用语言模型</translation>
    </message>
    <message>
        <source>No passage answers this</source>
        <translation>没有段落能回答这个问题</translation>
    </message>
    <message>
        <source>Summary of sentences from your documents, no language model</source>
        <translation>由文档原句组成的摘要，未使用语言模型</translation>
    </message>
    <message>
        <source>Sentences of your documents side by side, no language model</source>
        <translation>文档原句逐句对照，未使用语言模型</translation>
    </message>
    <message>
        <source>Rows from your documents, no language model</source>
        <translation>各行均取自文档，未使用语言模型</translation>
    </message>
    <message>
        <source>Not found in what has been read of your documents.</source>
        <translation>在您的文档已读取的部分中没有找到答案。</translation>
    </message>
    <message>
        <source>Not found in your documents.</source>
        <translation>在您的文档中没有找到答案。</translation>
    </message>
    <message>
        <source>Nothing of your documents has been read yet.</source>
        <translation>您的文档中还没有任何内容被读取。</translation>
    </message>
    <message>
        <source>There is nothing to search yet: add files or a folder.</source>
        <translation>还没有可搜索的内容：请添加文件或文件夹。</translation>
    </message>
    <message>
        <source>No quote was found for the dotted sentence: check it yourself.</source>
        <translation>没有为加点线的句子找到原文依据，请自行核对。</translation>
    </message>
    <message>
        <source>No quote was found for the %n dotted sentences: check them yourself.</source>
        <translation>没有为这 %n 个加点线的句子找到原文依据，请自行核对。</translation>
    </message>
    <message>
        <source>Files were read since: the question is being asked again…</source>
        <translation>此后再次读取了文件：正在重新提问…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>The question is asked again by itself when more is read.</source>
        <translation>读取更多文件后会自动重新提问。</translation>
    </message>
    <message>
        <source>Do not ask again</source>
        <translation>不再提问</translation>
    </message>
    <message>
        <source>Ask in other words, or look at what came nearest.</source>
        <translation>换个说法再问，或看看最接近的内容。</translation>
    </message>
    <message>
        <source>The knowledge base “%1” may know.</source>
        <translation>知识库“%1”可能知道。</translation>
    </message>
    <message>
        <source>What came nearest (%1)</source>
        <translation>最接近的内容（%1）</translation>
    </message>
    <message>
        <source>All sources (%1)</source>
        <translation>全部来源（%1）</translation>
    </message>
    <message>
        <source>its documents have changed since</source>
        <translation>此后其文档有变化</translation>
    </message>
    <message>
        <source>its documents are gone</source>
        <translation>其文档已不存在</translation>
    </message>
    <message>
        <source>1 search</source>
        <translation>检索 1 次</translation>
    </message>
    <message>
        <source>%n searches</source>
        <translation>检索 %n 次</translation>
    </message>
    <message>
        <source>1 model call</source>
        <translation>调用模型 1 次</translation>
    </message>
    <message>
        <source>%n model calls</source>
        <translation>调用模型 %n 次</translation>
    </message>
    <message>
        <source>%n tokens</source>
        <translation>%n 个 token</translation>
    </message>
    <message>
        <source>searched again for %1 of %2 sentences</source>
        <translation>%2 句中有 %1 句重新检索</translation>
    </message>
    <message>
        <source>kept from %1, nothing was searched now</source>
        <translation>保存于 %1，此次未再检索</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Part %1 of a long answer</source>
        <translation>长回答的第 %1 部分</translation>
    </message>
    <message>
        <source>Part %1, the last of a long answer</source>
        <translation>长回答的第 %1 部分（最后一部分）</translation>
    </message>
    <message>
        <source>‹ Previous part</source>
        <translation>‹ 上一部分</translation>
    </message>
    <message>
        <source>Next part ›</source>
        <translation>下一部分 ›</translation>
    </message>
    <message>
        <source>Ask anew</source>
        <translation>重新提问</translation>
    </message>
    <message>
        <source>Prepare…</source>
        <translation>预处理…</translation>
    </message>
    <message>
        <source>An earlier answer, asked on %1:</source>
        <translation>先前的回答（提问于 %1）：</translation>
    </message>
    <message>
        <source>Ask there</source>
        <translation>去那里问</translation>
    </message>
    <message>
        <source>Searched as: “%1”</source>
        <translation>检索时改写为：“%1”</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>修改</translation>
    </message>
    <message>
        <source>Search as I wrote it</source>
        <translation>按我的原文检索</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy with sources</source>
        <translation>连同来源复制</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续写</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Save as table…</source>
        <translation>保存为表格…</translation>
    </message>
    <message>
        <source>Save as note</source>
        <translation>存为笔记</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Keep no longer</source>
        <translation>不再保留</translation>
    </message>
    <message>
        <source>Keep this answer</source>
        <translation>保留此回答</translation>
    </message>
    <message>
        <source>Save as test question</source>
        <translation>保存为测试问题</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Save as note</source>
        <translation>存为笔记</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation>复制回答</translation>
    </message>
    <message>
        <source>Export answer…</source>
        <translation>导出回答…</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Nothing is being read</source>
        <translation>没有正在读取的文件</translation>
    </message>
    <message>
        <source>Read anyway</source>
        <translation>仍然读取</translation>
    </message>
    <message>
        <source>Resume reading</source>
        <translation>继续读取</translation>
    </message>
    <message>
        <source>Pause reading</source>
        <translation>暂停读取</translation>
    </message>
    <message>
        <source>An answer is ready</source>
        <translation>回答已就绪</translation>
    </message>
    <message>
        <source>Answer ready: %1</source>
        <translation>回答已就绪：%1</translation>
    </message>
    <message numerus="yes">
        <source>Reading finished: %n file(s) read</source>
        <translation>
            <numerusform>读取完成：已读取 %n 个文件</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 need attention</source>
        <translation>%1，%2 个需要处理</translation>
    </message>
    <message>
        <source>%1, 1 needs attention</source>
        <translation>%1，1 个需要处理</translation>
    </message>
    <message>
        <source>It keeps running. “Quit” in this icon&apos;s menu ends it.</source>
        <translation>程序仍在运行。要结束它，请在此图标的菜单中选择“退出”。</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Bring back what was deleted (Ctrl+Z)</source>
        <translation>恢复已删除的内容（Ctrl+Z）</translation>
    </message>
    <message>
        <source>Delete for good now</source>
        <translation>立即彻底删除</translation>
    </message>
</context>
<context>
    <name>UnshareDialog</name>
    <message>
        <source>Stop sharing</source>
        <translation>停止共享</translation>
    </message>
    <message>
        <source>Leave it on the server for the others</source>
        <translation>在服务器上保留，供其他人使用</translation>
    </message>
    <message>
        <source>Take it off the server, for everybody</source>
        <translation>从服务器上撤下，对所有人生效</translation>
    </message>
    <message>
        <source>Stop sharing “%1”?</source>
        <translation>停止共享“%1”？</translation>
    </message>
    <message>
        <source>It is “%1” on %2.</source>
        <translation>它在 %2 上的名称是“%1”。</translation>
    </message>
    <message>
        <source>All of it stays on this computer.</source>
        <translation>全部内容会保留在这台计算机上。</translation>
    </message>
    <message>
        <source>Both were last in step %1.</source>
        <translation>上次同步：%1。</translation>
    </message>
</context>
<context>
    <name>VerdictCard</name>
    <message>
        <source>Open in its document</source>
        <translation>在文档中打开</translation>
    </message>
    <message>
        <source>Following the passage…</source>
        <translation>正在追踪该段落…</translation>
    </message>
    <message>
        <source>Ask this instead</source>
        <translation>改为这样提问</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
</context>
<context>
    <name>ViewerToolbar</name>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Type a page and press Enter</source>
        <translation>输入页码并按 Enter</translation>
    </message>
    <message>
        <source>Mark %1 of %2</source>
        <translation>标记 %1/%2</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Close the document (Esc)</source>
        <translation>关闭文档（Esc）</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Outline of the document</source>
        <translation>文档大纲</translation>
    </message>
    <message>
        <source>Previous mark (Alt+Up)</source>
        <translation>上一处标记（Alt+Up）</translation>
    </message>
    <message>
        <source>Next mark (Alt+Down)</source>
        <translation>下一处标记（Alt+Down）</translation>
    </message>
    <message>
        <source>Smaller (−)</source>
        <translation>缩小（−）</translation>
    </message>
    <message>
        <source>Larger (+)</source>
        <translation>放大（+）</translation>
    </message>
    <message>
        <source>Find in this document (Ctrl+F)</source>
        <translation>在此文档中查找（Ctrl+F）</translation>
    </message>
    <message>
        <source>List the passages of the index</source>
        <translation>列出索引中的段落</translation>
    </message>
    <message>
        <source>Open in the system&apos;s program</source>
        <translation>用系统默认程序打开</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Full screen (F11)</source>
        <translation>全屏（F11）</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>Size of the pages</source>
        <translation>页面大小</translation>
    </message>
    <message>
        <source>Fit the width (0)</source>
        <translation>适合宽度（0）</translation>
    </message>
    <message>
        <source>Fit the page</source>
        <translation>适合页面</translation>
    </message>
    <message>
        <source>Natural size (100%)</source>
        <translation>实际大小（100%）</translation>
    </message>
</context>
<context>
    <name>WayOptions</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>At once</source>
        <translation>直接写</translation>
    </message>
    <message>
        <source>Thinking aloud</source>
        <translation>先写出思考</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>The model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Composed of: %1.</source>
        <translation>组成：%1。</translation>
    </message>
    <message>
        <source>For questions of several steps: %1.</source>
        <translation>多步的问题：%1。</translation>
    </message>
    <message>
        <source>Around it: %1.</source>
        <translation>前后：%1。</translation>
    </message>
    <message>
        <source>The best %1 passages are read twice.</source>
        <translation>最好的 %1 个段落再读一次。</translation>
    </message>
    <message>
        <source>With: %1</source>
        <translation>加上：%1</translation>
    </message>
    <message>
        <source>%1: %2 (default: %3)</source>
        <translation>%1：%2（默认：%3）</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>WayOptionsDialog</name>
    <message>
        <source>Options of this way</source>
        <translation>此方式的选项</translation>
    </message>
    <message>
        <source>Use the defaults</source>
        <translation>使用默认值</translation>
    </message>
    <message>
        <source>Around this way</source>
        <translation>在此方式前后</translation>
    </message>
    <message>
        <source>What is done before it or behind it, by further calls of the model.</source>
        <translation>在它之前或之后所做的，需要另外调用模型。</translation>
    </message>
    <message>
        <source>Changes are saved immediately, and hold from the next question on until you take them back.</source>
        <translation>更改立即保存，从下一个问题起有效，直到您改回为止。</translation>
    </message>
</context>
<context>
    <name>WebLinkDialog</name>
    <message>
        <source>Open in the browser?</source>
        <translation>要在浏览器中打开吗？</translation>
    </message>
    <message>
        <source>This link leads to the internet:</source>
        <translation>此链接指向互联网：</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>How many passengers travelled in 2024?</source>
        <translation>市内交通每天补贴多少元？</translation>
    </message>
    <message>
        <source>Why did fuel costs fall?</source>
        <translation>出差结束后几天内要提交报销单？</translation>
    </message>
</context>
</TS>

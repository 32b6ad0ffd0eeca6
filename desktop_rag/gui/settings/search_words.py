"""The words, English and Chinese, under which people look for a setting that is called otherwise.

They are found in every language of the window: who reads Chinese may type "font".
"""

from __future__ import annotations

OF_SETTINGS = {
    "window.theme": "dark light mode theme colours colors night contrast "
    "深色 浅色 夜间 主题 颜色 外观 对比度",
    "window.scale": "font text zoom larger bigger smaller accessibility dpi "
    "字体 字号 文字 大小 缩放 放大",
    "window.language": "english chinese locale translation interface 语言 中文 英文 英语 汉语 界面",
    "window.keep_running": "tray background minimise minimize close quit exit hide "
    "托盘 后台 最小化 关闭 退出 隐藏",
    "window.notify_reading": "notification notify alert popup tray 通知 提醒 弹窗 托盘",
    "window.notify_answers": "notification notify alert popup privacy lock 通知 提醒 弹窗 锁屏",
    "answering.strategy": "mode preset strategy method fast balanced thorough "
    "模式 策略 方法 快速 均衡 深入",
    "answering.condense": "follow-up conversation history context 追问 上下文 历史 多轮",
    "answering.only_documents": "hallucination strict general knowledge invent 幻觉 只用文档 常识",
    "answering.reuse": "cache repeat faster 缓存 重复",
    "answering.compression": "shorten prompt llmlingua summary 压缩 缩短",
    "retrieval.candidates": "top-k results number of passages 数量 候选",
    "retrieval.reranker": "rerank cross-encoder quality 重排 精排",
    "retrieval.half_life_days": "date recent newest old age time 日期 最新 时间 新旧",
    "retrieval.mmr_lambda": "variety different duplicates 多样性 去重",
    "chunking.small_tokens": "split segment length tokens 切分 分块 分段",
    "chunking.big_tokens": "split segment length context tokens 切分 分块 段落",
    "ingest.recognize_text": "ocr scan image picture photo tesseract 文字识别 扫描 图片 照片",
    "ingest.max_megabytes": "big huge large file size limit 大文件 上限",
    "ingest.parse_seconds": "timeout slow hang stuck 超时 卡住",
    "ingest.parse_megabytes": "ram memory 内存",
    "ingest.exclude": "ignore skip exclude filter hidden node_modules 忽略 排除 跳过 过滤",
    "ingest.pause_on_battery": "power laptop energy 电池 省电 笔记本",
    "ingest.poll_seconds": "watch refresh sync interval 监视 刷新 同步 间隔",
    "ingest.follow_links": "symlink shortcut 符号链接 快捷方式",
    "models.embedder": "embedding vector multilingual bge-m3 嵌入 向量 多语言",
    "models.threads": "cpu cores processor speed fan 处理器 核心 线程 速度",
    "ollama.host": "server url port remote network lan 服务器 端口 网址 远程 局域网",
    "ollama.model": "llm ai chat gpt qwen llama gemma deepseek 大模型 语言模型 聊天",
    "ollama.num_ctx": "window memory tokens length ram 上下文 窗口 长度 内存",
    "ollama.answer_tokens": "length cut long short tokens 长度 截断",
    "ollama.temperature": "creative random precise 随机 创造 精确",
    "ollama.keep_alive": "unload memory ram vram 内存 显存 卸载",
    "ollama.think": "reasoning slow 推理 思考",
    "privacy.block_remote": "offline internet network cloud proxy firewall 离线 网络 联网 云 代理",
    "privacy.allow_remote": "internet network cloud proxy consent 网络 联网 云 代理 许可",
    "privacy.chroma_url": "team share server database proxy 团队 共享 服务器 数据库 代理",
}  # fmt: skip
_OF_PARTS = {
    "contact": "contact privacy network internet offline proxy telemetry update mcp other programs "
    "隐私 网络 联网 离线 代理 遥测 更新 其他程序",
    "setup": "set up install start ollama model wizard 设置 安装 启动 模型 向导",
    "server": "ollama test version connect 测试 版本 连接",
    "download": "fetch pull model download 下载 拉取 模型",
    "about": "about version data folder licence license log 关于 版本 数据文件夹 许可 日志",
    "language": "embedding language bge-m3 multilingual 嵌入 语言 多语言",
    "rechunk": "chunking cut anew 切分 重新",
    "consent": "consent allow permission 许可 同意 授权",
    "log": "connections log network history 连接 日志 网络 记录",
}


def words_of(key: str) -> str:
    """Return the words for a setting; empty where its own title and effect say it."""
    return OF_SETTINGS.get(key, "")


def words_of_part(part: str) -> str:
    """Return the words for what stands beside the settings of a page."""
    return _OF_PARTS[part]

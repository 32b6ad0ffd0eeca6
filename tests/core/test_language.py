from desktop_rag.core.language import content_words, is_english, language, scripts


def test_a_language_is_told_by_its_characters() -> None:
    assert language("How many justices are there?") == "en"
    assert language("最高法院有多少名大法官？") == "zh"
    assert language("東京の人口はどのくらいですか。") == "ja"
    assert language("한국의 수도는 어디입니까?") == "ko"


def test_one_japanese_letter_does_not_make_a_chinese_text_japanese() -> None:
    assert language("这家店叫做「茶の间」，位于城市中心的一条安静的小街上。") == "zh"
    assert language("図書館の開館時間") == "ja"


def test_a_chinese_question_with_english_names_is_chinese() -> None:
    assert language("OpenAI 的 CTO 是谁？") == "zh"
    assert language("What does 认证 mean in this text?") == "en"


def test_a_text_without_letters_is_taken_for_english() -> None:
    assert language("42?") == "en"


def test_scripts_that_hardly_occur_are_not_counted() -> None:
    assert scripts("Die Straße ist lang") == {"latin"}
    assert scripts("这是一个关于 A 的很长的中文问题，答案在哪里") == {"cjk"}
    assert scripts("Ελληνικά and English") == {"greek", "latin"}
    assert scripts("1234") == frozenset()


def test_content_words_leave_out_what_every_question_has() -> None:
    assert content_words("How many of the judges serve on it?") == ["judg", "serv"]
    assert content_words("Judge's court")[0] == content_words("judges")[0]


def test_chinese_words_are_pairs_between_question_words() -> None:
    assert content_words("纬度是多少？") == ["纬度"]
    assert content_words("级别的批准文号") == ["级别", "批准", "准文", "文号"]


def test_wide_letters_are_read_as_ordinary_ones() -> None:
    assert content_words("ＩＢＭ") == ["ibm"]


def test_english_is_told_from_other_languages_by_its_small_words() -> None:
    assert is_english("The ferry runs on electricity, and so does the bus to the station.")
    assert not is_english("El transbordador funciona con electricidad y el autobús también.")
    assert not is_english("Die Fähre fährt elektrisch, und der Bus zum Bahnhof auch.")
    assert not is_english("Le bac est électrique, et les bus de la gare le sont aussi.")
    assert not is_english("Tekne adalara gitmek için elektrik kullanır ve bu sabah kalkar.")
    assert not is_english("Tàu chạy bằng điện và rời bến lúc bảy giờ của buổi sáng.")
    assert not is_english("Kapal yang berangkat itu berjalan dengan listrik untuk pulau ini.")
    assert is_english("Vector3 position x y z rotation x y z scale x y z")
    assert is_english("Smith J, Jones K et al. 2019; Brown A et al. 2020")
    assert is_english("com.example.app/en-GB/help com.example.app/en-US/help")
    assert is_english("Die casting of the housing, per DIN 1706")
    assert is_english("Sula 2023 Vard 71 %")

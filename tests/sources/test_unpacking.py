"""Files that are no plain HTML: compressed pages are read, binary data is refused in one line."""

import bz2
import gzip
import io
import json
import random
import subprocess
import sys
import tarfile
import zipfile

import brotli
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import pagelet
from pagelet import Limits
from pagelet.errors import DamagedRecord, NotHtml, OptionError, PageTooLarge
from pagelet.page.binary import describe_binary
from tests.places import ROOT

HTML = "<html lang=de><title>Käse</title><p>Über den Käse lässt sich vieles sagen.</p>"
PACKERS = {
    "page.html.gz": gzip.compress,
    "page.gz": gzip.compress,
    "page.html": gzip.compress,
    "page.html.zst": zstandard.compress,
    "page.html.br": brotli.compress,
}


def make_tar() -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("page.html"))
    return file.getvalue()


def make_zip() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("page.html", HTML)
    return file.getvalue()


PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0"
BINARY = {
    "a PDF file": b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Type /Catalog>> endobj",
    "a PNG picture": PNG,
    "a JPEG picture": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1",
    "a GIF picture": b"GIF89a\1\0\1\0\x80\0\0",
    "a ZIP archive or an Office document": make_zip(),
    "a tar archive": make_tar(),
    "bzip2 data": bz2.compress(HTML.encode()),
    "a program": b"\x7fELF\2\1\1\0" + bytes(9),
    "binary data": random.Random(5).randbytes(5_000),
}


@pytest.mark.parametrize("name", PACKERS)
def test_compressed_files_are_read(tmp_path, name):
    file = tmp_path / name
    file.write_bytes(PACKERS[name](HTML.encode()))
    assert pagelet.load(file).texts == pagelet.parse(HTML).texts
    assert "Käse" in pagelet.extract(file)


def test_compressed_files_of_several_members_are_read(tmp_path):
    file = tmp_path / "page.html.gz"
    file.write_bytes(gzip.compress(HTML[:30].encode()) + gzip.compress(HTML[30:].encode()))
    assert pagelet.load(file).source == HTML


@pytest.mark.parametrize("name", [name for name in PACKERS if name != "page.gz"])
def test_a_bomb_is_too_large(tmp_path, name):
    file = tmp_path / name
    file.write_bytes(PACKERS[name](b"<p>" + b" " * 5_000_000))
    with pytest.raises(PageTooLarge):
        pagelet.load(file, limits=Limits(max_bytes=100_000))


@pytest.mark.parametrize("name", PACKERS)
def test_a_file_that_is_cut_short_is_damaged(tmp_path, name):
    file = tmp_path / name
    file.write_bytes(PACKERS[name](random.Random(1).randbytes(9_000).hex().encode())[:-2_000])
    with pytest.raises(DamagedRecord, match="cut short"):
        pagelet.load(file)


@pytest.mark.parametrize("kind", BINARY)
def test_binary_data_is_refused_by_every_function(tmp_path, kind):
    file = tmp_path / "page.html"
    file.write_bytes(BINARY[kind])
    for give in (
        lambda: pagelet.parse(BINARY[kind]),
        lambda: pagelet.extract(BINARY[kind]),
        lambda: pagelet.load(file),
        lambda: pagelet.load(file, charset="utf-8"),
        lambda: pagelet.detect_menu(file),
        lambda: pagelet.analyse(BINARY[kind], "links"),
    ):
        with pytest.raises(NotHtml, match=f"looks like {kind}; ") as error:
            give()
        assert "\n" not in str(error.value)


def test_gzip_bytes_are_named():
    with pytest.raises(NotHtml, match=r"gzip data; pagelet\.load"):
        pagelet.parse(gzip.compress(b"<p>"))


@pytest.mark.parametrize("command", ["content", "menu", "links"])
def test_commands_refuse_binary_data_in_one_line(tmp_path, command):
    file = tmp_path / "report.html"
    file.write_bytes(BINARY["a PDF file"])
    done = subprocess.run(
        [sys.executable, "-m", "pagelet", command, str(file)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 3
    assert len(done.stderr.strip().splitlines()) == 1
    assert "looks like a PDF file; `pagelet segments`" in done.stderr


@given(st.text(max_size=300), st.sampled_from(("utf-8", "utf-16", "utf-16-le", "utf-8-sig")))
def test_text_is_no_binary_data(text, encoding):
    page = f"<p>{text.replace(chr(0), '')}".translate(dict.fromkeys(range(32), " "))
    assert describe_binary(page.encode(encoding, "replace")) is None


@given(st.integers(0, 2**32), st.integers(600, 4_000))
def test_random_bytes_are_binary_data(seed, size):
    assert describe_binary(random.Random(seed).randbytes(size)) is not None


@pytest.mark.parametrize("text", ["BM is a car maker", "MZ <b>x</b>", "", "GIF is a format", "a"])
def test_words_are_no_signatures(text):
    assert describe_binary(text.encode()) is None or text.startswith("GIF8")


# -- encodings --------------------------------------------------------------------------------

RUSSIAN = "Привет, мир! Это страница о погоде на завтра и послезавтра в нашем городе. " * 3
FRENCH = "Le café est à côté de l'église où, l'été passé, nous étions réunis en forêt. " * 3
JAPANESE = "今日はとても良い天気です。明日も晴れるでしょう。" * 5


def page_of(text: str, encoding: str, label: str) -> bytes:
    head = f"<html><head><meta charset={label}><title>x</title></head><body><p>"
    return head.encode() + text.encode(encoding) + b"</p></body></html>"


@pytest.mark.parametrize("place", [0.3, 0.7])
def test_a_stray_byte_does_not_make_mojibake(place):
    for text in (RUSSIAN, FRENCH, JAPANESE):
        data = page_of(text, "utf-8", "utf-8")
        at = int(len(data) * place)
        while data[at] & 0xC0 == 0x80:  # not inside a character
            at += 1
        page = pagelet.parse(data[:at] + b"\xe9" + data[at:])
        assert page.charset == "utf-8"
        assert page.texts[-1].replace("\ufffd", "") == text


@pytest.mark.parametrize(
    ("text", "encoding", "label"),
    [
        (RUSSIAN, "windows-1251", "iso-8859-1"),
        (RUSSIAN, "windows-1251", "utf-8"),
        (FRENCH, "windows-1252", "utf-8"),
        (FRENCH, "windows-1252", "windows-1251"),
        (JAPANESE, "shift_jis", "iso-8859-1"),
        (JAPANESE, "shift_jis", "utf-8"),
        (JAPANESE, "utf-8", "shift_jis"),
        (RUSSIAN, "utf-8", "windows-1252"),
    ],
)
def test_a_wrong_label_is_overruled(text, encoding, label):
    for charset in (None, label):
        page = pagelet.parse(page_of(text, encoding, label), charset=charset)
        assert page.texts[-1] == text
        assert page.charset == encoding


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(RUSSIAN, "windows-1251"), (RUSSIAN, "koi8-r"), (FRENCH, "windows-1252"),
     (JAPANESE, "shift_jis"), (JAPANESE, "euc-jp"), (JAPANESE, "iso-2022-jp")],
)  # fmt: skip
def test_a_right_label_is_believed(text, encoding):
    page = pagelet.parse(page_of(text, encoding, encoding))
    assert page.texts[-1] == text
    assert page.charset == encoding


def test_the_json_says_which_encoding_was_used():
    found = json.loads(pagelet.extract(page_of(RUSSIAN, "windows-1251", "utf-8"), format="json"))
    assert found["charset"] == "windows-1251"
    assert "charset" not in json.loads(pagelet.extract("<p>x", format="json"))


def test_a_user_may_name_the_encoding(tmp_path):
    file = tmp_path / "page.html"
    file.write_bytes("<p>naïve café".encode("latin-1"))
    assert pagelet.load(file, charset="iso-8859-5").texts[-1] == "naяve cafщ"
    with pytest.raises(OptionError, match="no such encoding"):
        pagelet.load(file, charset="klingon")
    done = subprocess.run(
        [sys.executable, "-m", "pagelet", "content", str(file), "--charset", "iso-8859-5",
         "--keep", "p"],
        capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    assert done.stdout == "naяve cafщ\n"

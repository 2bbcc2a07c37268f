"""Pieces of Markdown and HTML from which texts are drawn."""

MARKUP = (
    "word ", "must ", "not", "\n", "\n\n", "*", "**", "_", "`", "``", "[", "](x)", '](x "t")', "<", ">", "&nbsp;", "&#8203;", "&lt;",
    "\\", "- ", "1. ", "> ", "    ", "```\n", "# ", "## Plan\n", "\n\n| a | b |\n|---|---|\n| 1 | 2 | 3 |\n\n", "| ", "[^1]", '\n\n[x]: y "t"\n\n',
    "> [!NOTE]\n> word\n", "- [ ] ", "---\n", "<https://x.y> ", "\u200b", "\u00ad", "\u3164",
)  # fmt: skip


TAGS = (
    "<del>", "</del>", "<div hidden>", "<div\nhidden>", "<div>", "</div>", "<span hidden>", "</span>", "<p>", "</p>",
    "<br>", "<!--", "-->", "--!>", "<!-->", "<!--->", "<?x", "?>", "<![CDATA[", "]]>", "</>", '<a title="', '">', '<img alt="x" src=y>',
    "<blockquote>", "</blockquote>", "<pre>", "</pre>", "<code>", "</code>", "<details>", "<summary>", "</summary>", "</details>",
    '<span style="display:none">', "<script>", "</script>", "<style>", "</style>", "<template>", "</template>", "<textarea>", "<hr>", "<kbd>",
    "</kbd>", "<h2>", "</h2>", "<ul>", "<li>", "</li>", "</ul>", '<a =">', "<b x='>'>", "<div/>",
)  # fmt: skip

// The Markdown of the documentation: its headings and links, for the checks, and HTML, for the site.
//
// It reads what the documentation uses: headings, paragraphs, lists, tables, fenced code, images, links and code in the
// text, and lines of HTML, which pass through.

export const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  .replaceAll('"', '&quot;');

/** The anchor that GitHub gives to a heading. */
export function slug(heading) {
  return heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '').toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '').trim().replace(/\s/g, '-');
}

/** The text without its code: fenced blocks and spans become empty, with as many lines. */
export function withoutCode(text) {
  return text.replace(/^( *)(```+)[^\n]*\n[^]*?^\1\2 *$/gm, (block) => block.replace(/[^\n]/g, ''))
    .replace(/(`+)[^`\n](?:[^\n]*?[^`\n])?\1(?!`)/g, '``');
}

/** Anchors that count up when a heading is repeated. */
function anchors() {
  const seen = new Map();
  return (heading) => {
    const name = slug(heading);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return count ? `${name}-${count}` : name;
  };
}

/** The headings of a text: their levels, texts and anchors. */
export function headings(text) {
  const anchor = anchors();
  return [...blocksRemoved(text).matchAll(/^(#{1,6}) (.+)$/gm)]
    .map(([, marks, title]) => ({ level: marks.length, title, anchor: anchor(title) }));
}

const blocksRemoved = (text) => text.replace(/^( *)(```+)[^\n]*\n[^]*?^\1\2 *$/gm, '');

/** The targets of the links and images of a text, with their lines. */
export function links(text) {
  return withoutCode(text).split('\n').flatMap((line, index) => [
    ...line.matchAll(/\]\(([^)\s]+)\)/g), ...line.matchAll(/^\[[^\]]+\]: (\S+)$/g),
    ...(line.startsWith('    ') ? [] : line.matchAll(/(?:src|href)="([^"{]+)"/g)),
  ].map(([, target]) => ({ target, line: index + 1 })));
}

/** HTML of a text in one line, with `link` for each target. */
function inline(text, link) {
  const kept = [];
  const keep = (html) => `\u0000${kept.push(html) - 1}\u0000`;
  let line = text.replace(/(`+)((?:[^`]|(?!\1)`)+)\1(?!`)/g, (_, marks, code) =>
    keep(`<code>${escaped(code.trim() || code)}</code>`));
  line = line.replace(/<(https?:[^>]+)>/g, (_, url) => keep(`<a href="${escaped(url)}">${escaped(url)}</a>`))
    .replace(/<\/?(?:br|sub|sup|kbd)>/g, keep);
  line = escaped(line)
    .replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_, alt, target) => keep(`<img src="${link(target)}" alt="${alt}">`))
    .replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_, words, target) => {
      const url = link(target);
      return url === undefined ? words : `${keep(`<a href="${url}">`)}${words}${keep('</a>')}`;
    })
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*(?![\w*])/g, '<em>$1</em>')
    .replace(/\\([\\`*_{}[\]()#+.!|-])/g, '$1');
  while (/\u0000\d+\u0000/.test(line)) line = line.replace(/\u0000(\d+)\u0000/g, (_, index) => kept[index]);
  return line;
}

/** The cells of a row; a backslash escapes a bar. */
const cells = (row) => row.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/)
  .map((cell) => cell.trim().replaceAll('\\|', '|'));

const indent = (line) => /^ */.exec(line)[0].length;
const MARKER = /^ *(?:[-*]|\d+\.) +/;
/** A line that ends a paragraph. */
const ENDS = /^ *(?:```|#{1,6} |\|)/;

/** Reads a text block by block. */
class Reader {
  #anchor = anchors();

  /**
   * @param {string[]} lines
   * @param {{ link(target: string): string | undefined, comment(text: string): string }} options
   */
  constructor(lines, options) {
    this.lines = lines;
    this.options = options;
  }

  /** The first line from `at` on for which `isEnd` is true; `to` if there is none. */
  #until(at, to, isEnd) {
    let end = at;
    while (end < to && !isEnd(this.lines[end], end)) end += 1;
    return end;
  }

  #words(text) {
    return inline(text, this.options.link);
  }

  /** The blocks between two lines; in a tight list, the first paragraph is only its text. */
  blocks(from, to, isTight = false) {
    const out = [];
    for (let at = from; at < to;) {
      if (!this.lines[at].trim()) {
        at += 1;
        continue;
      }
      const [text, next] = this.#fence(at, to) ?? this.#heading(at) ?? this.#comment(at, to) ?? this.#raw(at, to)
        ?? this.#table(at, to) ?? this.#list(at, to) ?? this.#paragraph(at, to, isTight && out.length === 0);
      if (text) out.push(text);
      at = next;
    }
    return out.join('\n');
  }

  #fence(at, to) {
    const [, space, marks, language] = /^( *)(```+)(\w*)/.exec(this.lines[at]) ?? [];
    if (!marks) return undefined;
    const end = this.#until(at + 1, to, (line) => line.trim() === marks);
    const code = this.lines.slice(at + 1, end).map((line) => line.slice(Math.min(indent(line), space.length)));
    const name = language ? ` class="${language}"` : '';
    return [`<pre tabindex="0"${name}><code>${escaped(code.join('\n'))}</code></pre>`, end + 1];
  }

  #heading(at) {
    const [, marks, title] = /^(#{1,6}) (.+)$/.exec(this.lines[at]) ?? [];
    if (!marks) return undefined;
    const { length } = marks;
    return [`<h${length} id="${this.#anchor(title)}">${this.#words(title)}</h${length}>`, at + 1];
  }

  #comment(at, to) {
    if (!this.lines[at].startsWith('<!--')) return undefined;
    const end = this.#until(at, to, (line) => line.includes('-->')) + 1;
    const text = this.lines.slice(at, end).join('\n').replace(/^<!--\s*|\s*-->\s*$/g, '');
    return [this.options.comment(text), end];
  }

  /** Lines of HTML, whose links are replaced too. */
  #raw(at, to) {
    if (!/^<\/?[a-z]/.test(this.lines[at]) || /^<(?:https?:|br|sub|sup|kbd)/.test(this.lines[at])) return undefined;
    const end = this.#until(at, to, (line) => !line.trim());
    const text = this.lines.slice(at, end).join('\n').replace(/\b(src|href)="([^"]+)"/g, (all, name, target) => {
      const url = this.options.link(target);
      return url === undefined ? all : `${name}="${url}"`;
    });
    return [text, end];
  }

  #table(at, to) {
    const isRow = (line) => line.trim().startsWith('|');
    if (!isRow(this.lines[at]) || !/^[\s|:-]+$/.test(this.lines[at + 1] ?? '')) return undefined;
    const end = this.#until(at + 2, to, (line) => !isRow(line));
    // A header without text is none.
    const cell = (text, tag) => (text === '' ? '<td></td>' : `<${tag}>${this.#words(text)}</${tag}>`);
    const row = (line, tag) => `<tr>${cells(line).map((text) => cell(text, tag)).join('')}</tr>`;
    const rows = this.lines.slice(at + 2, end).map((line) => row(line, 'td')).join('\n');
    const head = row(this.lines[at], 'th');
    return [`<div class="scroll"><table>\n<thead>${head}</thead>\n<tbody>\n${rows}\n</tbody></table></div>`, end];
  }

  #list(at, to) {
    if (!MARKER.test(this.lines[at])) return undefined;
    const depth = indent(this.lines[at]);
    const tag = /^ *\d/.test(this.lines[at]) ? 'ol' : 'ul';
    const isItem = (line) => indent(line) === depth && MARKER.test(line);
    const end = this.#until(at, to, (line, index) => line.trim() && !isItem(line)
      && (indent(line) < depth || (indent(line) === depth && !this.lines[index - 1].trim())));
    const starts = this.lines.slice(at, end).flatMap((line, index) => (isItem(line) ? [at + index] : []));
    const items = starts.map((start, index) => {
      const line = this.lines[start];
      const width = MARKER.exec(line)[0].length;
      this.lines[start] = ' '.repeat(width) + line.slice(width);
      return `<li>${this.blocks(start, starts[index + 1] ?? end, true)}</li>`;
    });
    return [`<${tag}>\n${items.join('\n')}\n</${tag}>`, end];
  }

  #paragraph(at, to, isPlain) {
    const end = this.#until(at + 1, to, (line) => !line.trim() || ENDS.test(line) || MARKER.test(line));
    const text = this.#words(this.lines.slice(at, end).map((line) => line.trim()).join('\n'));
    return [isPlain ? text : `<p>${text}</p>`, end];
  }
}

/**
 * A text as HTML.
 * @param {string} text @param {{ link?(target: string): string | undefined, comment?(text: string): string }} [options]
 * what to write for the target of a link (undefined: no link), and for a comment
 */
export function html(text, { link = (target) => target, comment = () => '' } = {}) {
  const targets = new Map([...text.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, name, target]) => [name, target]));
  const lines = text.replace(/^\[[^\]]+\]: \S+\n?/gm, '')
    .replace(/\[([^\]]+)\]\[([^\]]+)\]/g, (all, words, name) =>
      (targets.has(name) ? `[${words}](${targets.get(name)})` : all)).split('\n');
  return new Reader(lines, { link, comment }).blocks(0, lines.length);
}

// The Markdown of the documentation: its headings and links, for the checks, and HTML, for the site.
//
// It reads what the documentation uses: headings, paragraphs, lists, tables, fenced code, quotes, images, links and code
// in the text, and lines of HTML, which pass through.

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

/**
 * A text as HTML.
 * @param {string} text @param {{ link?(target: string): string | undefined, comment?(text: string): string }} [options]
 * what to write for the target of a link (undefined: no link), and for a comment
 */
export function html(text, { link = (target) => target, comment = () => '' } = {}) {
  const targets = new Map([...text.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, name, target]) => [name, target]));
  const lines = text.replace(/^\[[^\]]+\]: \S+\n?/gm, '')
    .replace(/\[([^\]]+)\]\[([^\]]+)\]/g, (all, words, name) => (targets.has(name) ? `[${words}](${targets.get(name)})` : all))
    .split('\n');
  const anchor = anchors();
  const words = (line) => inline(line, link);
  const indent = (line) => /^ */.exec(line)[0].length;
  const marker = /^ *(?:[-*]|\d+\.) +/;

  /** The blocks between two lines. */
  function blocks(from, to, isTight = false) {
    const out = [];
    for (let at = from; at < to;) {
      const line = lines[at];
      if (!line.trim()) {
        at += 1;
        continue;
      }
      const fence = /^( *)(```+)(\w*)/.exec(line);
      if (fence) {
        let end = at + 1;
        while (end < to && lines[end].trim() !== fence[2]) end += 1;
        const code = lines.slice(at + 1, end).map((one) => one.slice(Math.min(indent(one), fence[1].length)));
        out.push(`<pre tabindex="0"${fence[3] ? ` class="${fence[3]}"` : ''}><code>${escaped(code.join('\n'))}</code></pre>`);
        at = end + 1;
        continue;
      }
      const heading = /^(#{1,6}) (.+)$/.exec(line);
      if (heading) {
        const level = heading[1].length;
        out.push(`<h${level} id="${anchor(heading[2])}">${words(heading[2])}</h${level}>`);
        at += 1;
        continue;
      }
      if (line.startsWith('<!--')) {
        let end = at;
        while (end < to - 1 && !lines[end].includes('-->')) end += 1;
        out.push(comment(lines.slice(at, end + 1).join('\n').replace(/^<!--\s*|\s*-->\s*$/g, '')));
        at = end + 1;
        continue;
      }
      if (/^<\/?[a-z]/.test(line) && !/^<(?:https?:|br|sub|sup|kbd)/.test(line)) {
        let end = at;
        while (end < to && lines[end].trim()) end += 1;
        out.push(lines.slice(at, end).join('\n').replace(/\b(src|href)="([^"]+)"/g, (all, name, target) => (link(target) === undefined ? all : `${name}="${link(target)}"`)));
        at = end;
        continue;
      }
      if (line.trim().startsWith('|') && /^[\s|:-]+$/.test(lines[at + 1] ?? '')) {
        let end = at + 2;
        while (end < to && lines[end].trim().startsWith('|')) end += 1;
        // A header without text is none.
        const row = (one, tag) => `<tr>${cells(one).map((cell) => (cell === '' ? '<td></td>' : `<${tag}>${words(cell)}</${tag}>`)).join('')}</tr>`;
        out.push(`<div class="scroll"><table>\n<thead>${row(line, 'th')}</thead>\n<tbody>\n`
          + `${lines.slice(at + 2, end).map((one) => row(one, 'td')).join('\n')}\n</tbody></table></div>`);
        at = end;
        continue;
      }
      if (marker.test(line)) {
        const depth = indent(line);
        const tag = /^ *\d/.test(line) ? 'ol' : 'ul';
        const starts = [];
        let end = at;
        for (; end < to; end += 1) {
          const one = lines[end];
          if (!one.trim()) continue;
          if (indent(one) === depth && marker.test(one)) starts.push(end);
          else if (indent(one) <= depth && !lines[end - 1].trim()) break;
          else if (indent(one) < depth) break;
        }
        const items = starts.map((start, index) => {
          const text = lines[start];
          const width = marker.exec(text)[0].length;
          lines[start] = ' '.repeat(width) + text.slice(width);
          return `<li>${blocks(start, starts[index + 1] ?? end, true)}</li>`;
        });
        out.push(`<${tag}>\n${items.join('\n')}\n</${tag}>`);
        at = end;
        continue;
      }
      let end = at + 1;
      while (end < to && lines[end].trim() && !/^ *(?:```|#{1,6} |\|)/.test(lines[end]) && !marker.test(lines[end])) end += 1;
      const paragraph = words(lines.slice(at, end).map((one) => one.trim()).join('\n'));
      out.push(isTight && out.length === 0 ? paragraph : `<p>${paragraph}</p>`);
      at = end;
    }
    return out.filter(Boolean).join('\n');
  }
  return blocks(0, lines.length);
}

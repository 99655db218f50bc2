// The site of armdyn: what `build` puts together, as VitePress reads it.
import { defineConfig } from 'vitepress'
import { readdirSync, readFileSync } from 'node:fs'

const stage = new URL('..', import.meta.url)
const title = (page) => readFileSync(new URL(page, stage), 'utf8').match(/^# (.*)$/m)[1].replaceAll('`', '').replace(/^armdyn (?=\w+$)/, '')
const item = (page) => ({ text: title(page), link: '/' + page.replace(/\.md$/, '') })
const group = (text, pages, collapsed = false) => ({ text, collapsed, items: pages.map(item) })
const verbs = readdirSync(new URL('commands', stage)).filter((name) => name.endsWith('.md'))
  .map((name) => 'commands/' + name)

// As GitHub names a heading, and the tests of the pages.
const anchor = (heading) => heading.trim().toLowerCase().replace(/[^a-z0-9_ -]/g, '').replaceAll(' ', '-')

// Equations of derivation.md stand in indented blocks, each with its number at the end of a line.
// The number becomes an anchor, and a number in a sentence a link to it.
const number = /\((\d{1,2}\.\d{1,2}[a-z]?)\)/
function equations(md) {
  const escape = md.utils.escapeHtml
  const isDerivation = (env) => env.relativePath === 'derivation.md'
  md.renderer.rules.code_block = (tokens, at, options, env) => {
    const lines = escape(tokens[at].content).split('\n').map((line) => !isDerivation(env) ? line
      : line.replace(new RegExp(' *' + number.source + '\\s*$'), '    <a class="equation" id="eq-$1" href="#eq-$1">($1)</a>'))
    return `<pre class="equations" v-pre><code>${lines.join('\n')}</code></pre>\n`
  }
  md.core.ruler.push('equation_links', (state) => {
    if (!isDerivation(state.env)) return
    const numbers = new Set()
    for (const { type, content } of state.tokens)
      if (type === 'code_block')
        for (const line of content.split('\n')) {
          const found = line.match(new RegExp(number.source + '\\s*$'))
          if (found) numbers.add(found[1])
        }
    for (const { type, children } of state.tokens) {
      if (type !== 'inline') continue
      for (const child of children) {
        if (child.type !== 'text' || !number.test(child.content)) continue
        child.type = 'html_inline'
        child.content = escape(child.content).replace(new RegExp(number.source, 'g'),
          (whole, n) => numbers.has(n) ? `<a href="#eq-${n}">${whole}</a>` : whole)
      }
    }
  })
  // An underscore is an index, as in p*_i, and no emphasis.
  const tokenize = md.inline.ruler.__rules__.find(({ name }) => name === 'emphasis').fn
  md.inline.ruler.at('emphasis', (state, silent) => state.src[state.pos] !== '_' && tokenize(state, silent))
  // Text with braces is no template.
  const text = md.renderer.rules.text
  md.renderer.rules.text = (...of) => text(...of).replaceAll('{{', '&#123;&#123;')
}

export default defineConfig({
  title: 'armdyn',
  description: 'Dynamics of robot arms: inverse and forward dynamics, equations of motion, identification, drive sizing',
  lang: 'en-US',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  cacheDir: '.cache',
  outDir: 'dist',
  markdown: {
    config: equations,
    anchor: { slugify: anchor },
    attrs: { leftDelimiter: '{:' },  // {i} is a frame
  },
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 4000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Tutorials', link: '/tutorials' },
      { text: 'How-to', link: '/how-to' },
      { text: 'Verbs', link: '/commands' },
      { text: 'Robot file', link: '/robot-file' },
      { text: 'Playground', link: '/playground' },
      { text: 'Gallery', link: '/gallery' },
      { text: 'C++', link: '/cpp/index.html', target: '_blank' },
    ],
    sidebar: [
      group('Learn', ['tutorials.md', 'how-to.md', 'playground.md', 'glossary.md', 'gallery.md']),
      group('Verbs', ['commands.md', ...verbs]),
      group('Reference', ['robot-file.md', 'logs.md', 'many.md', 'python.md', 'python-api.md', 'stability.md']),
      group('Explanation', ['derivation.md', 'papers.md', 'errata.md', 'experiments.md', 'beside.md',
        'architecture.md', 'contributing.md', 'changelog.md']),
      group('Evidence', ['accuracy.md', 'performance.md', 'reality.md', 'reliability.md']),
    ],
  },
})

// Markdown as blocks, so that what is written in it becomes the same robust mail. Liquid in it stays as it is; a paragraph that is one link
// with the title "button" is a button.
import { lexer, type Token, type Tokens } from 'marked'
import type { Block, TextMark } from './document'

/** These surround the number of a piece of Liquid while Markdown is parsed: characters that nobody types. */
const open = '\uE000'
const close = '\uE001'
const marks = /\uE000(\d+)\uE001/g

type Restore = (text: string) => string

/** Markdown knows nothing about Liquid, and would take its quotes and signs for Markdown. */
function keepLiquid(source: string): { source: string; restore: Restore } {
  const pieces: string[] = []
  const kept = source.replaceAll(/\{\{[^{}]*\}\}|\{%[^{}]*%\}/g, piece => {
    pieces.push(piece)
    return `${open}${pieces.length - 1}${close}`
  })
  return { source: kept, restore: text => text.replaceAll(marks, (_, index) => pieces[Number(index)] ?? '') }
}

export function markdownBlocks(source: string): Block {
  const kept = keepLiquid(source)
  return { type: 'doc', content: blocksOf(lexer(kept.source, { gfm: true }), kept.restore) }
}

function blocksOf(tokens: readonly Token[], restore: Restore): Block[] {
  return tokens.flatMap(token => blockOf(token, restore))
}

function blockOf(token: Token, restore: Restore): Block[] {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      return [{ type: 'heading', attrs: { level: Math.min(depth, 3) }, content: inlineOf(tokens, restore) }]
    }
    case 'paragraph':
      return paragraphOf((token as Tokens.Paragraph).tokens, restore)
    case 'list': {
      const { ordered, items } = token as Tokens.List
      const content = items.map(item => ({ type: 'listItem', content: blocksOf(item.tokens, restore) }))
      return [{ type: ordered ? 'orderedList' : 'bulletList', content }]
    }
    case 'blockquote':
      return [{ type: 'blockquote', content: blocksOf((token as Tokens.Blockquote).tokens, restore) }]
    case 'hr':
      return [{ type: 'divider' }]
    case 'code':
      return codeOf((token as Tokens.Code).text, restore)
    case 'html':
      return [{ type: 'html', attrs: { html: restore((token as Tokens.HTML).text) } }]
    case 'text':
      return paragraphOf((token as Tokens.Text).tokens ?? [token], restore)
    case 'space':
      return []
    default:
      return [{ type: 'paragraph', content: [{ type: 'text', text: restore(token.raw.trim()) }] }]
  }
}

function codeOf(text: string, restore: Restore): Block[] {
  const content = restore(text)
    .split('\n')
    .flatMap((line, index): Block[] => [
      ...(index > 0 ? [{ type: 'hardBreak' }] : []),
      ...(line ? [{ type: 'text', text: line, marks: [{ type: 'code' }] }] : []),
    ])
  return [{ type: 'paragraph', content }]
}

/** Pictures become blocks of their own; so do Liquid tags, which are not text. */
function paragraphOf(tokens: readonly Token[], restore: Restore): Block[] {
  const only = tokens.length === 1 ? tokens[0] : undefined
  if (only?.type === 'image') return [imageOf(only as Tokens.Image, restore)]
  if (only?.type === 'link' && (only as Tokens.Link).title === 'button') {
    const { text, href } = only as Tokens.Link
    return [{ type: 'button', attrs: { text: restore(unescaped(text)), href: restore(decoded(href)) } }]
  }
  const content = inlineOf(tokens, restore)
  const words = content.map(each => each.text ?? '\n').join('')
  if (/^(?:\s*\{%[^{}]*%\})+\s*$/.test(words)) return [{ type: 'liquid', attrs: { code: words.trim() } }]
  return [{ type: 'paragraph', content }]
}

function imageOf({ href, text }: Tokens.Image, restore: Restore): Block {
  return { type: 'image', attrs: { src: restore(decoded(href)), alt: restore(unescaped(text)) } }
}

/** Undoes Markdown's encoding of the characters that stand for Liquid in an address. */
function decoded(href: string): string {
  return href.replaceAll('%EE%80%80', open).replaceAll('%EE%80%81', close).replaceAll('&amp;', '&')
}

function inlineOf(tokens: readonly Token[] | undefined, restore: Restore, marks: TextMark[] = []): Block[] {
  return (tokens ?? []).flatMap(token => leafOf(token, restore, marks))
}

function leafOf(token: Token, restore: Restore, marks: TextMark[]): Block[] {
  const text = (words: string, more: TextMark[] = marks): Block[] => [
    { type: 'text', text: restore(unescaped(words)), ...(more.length > 0 ? { marks: more } : {}) },
  ]
  switch (token.type) {
    case 'strong':
      return inlineOf(token.tokens, restore, [...marks, { type: 'bold' }])
    case 'em':
      return inlineOf(token.tokens, restore, [...marks, { type: 'italic' }])
    case 'codespan':
      return text(token['text'], [...marks, { type: 'code' }])
    case 'link': {
      const link = { type: 'link', attrs: { href: restore(decoded((token as Tokens.Link).href)) } }
      return inlineOf(token.tokens, restore, [...marks, link])
    }
    case 'br':
      return [{ type: 'hardBreak' }]
    case 'text':
      return token.tokens ? inlineOf(token.tokens, restore, marks) : text(token['text'] ?? '')
    default:
      return text('text' in token ? String(token.text) : token.raw)
  }
}

/** The library may return texts escaped as in HTML. */
function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

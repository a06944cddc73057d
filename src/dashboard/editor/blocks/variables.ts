// The variables that a text can have, and what people call them.
import type { Editor } from '@tiptap/core'
import { t } from '../../texts'

/** What the brand of the project says, in the footer of emails. */
const brand = ['brand.name', 'brand.address', 'brand.footer'] as const
const links = ['unsubscribeUrl', 'manageUrl', 'browserUrl'] as const

/** The fields that every contact has, and those of the project's contacts. */
export function variablesOf(fields: readonly string[]): string[] {
  return [...new Set([...(fields.length > 0 ? fields : ['firstName']), 'email', ...brand, ...links])]
}

/** `firstName` is "First name"; what people named themselves stays as it is. */
export function variableLabel(name: string): string {
  const known = t.writing.variables[name]
  if (known) return known
  const words = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .trim()
  const isOurs = words !== name
  return isOurs ? words.charAt(0).toUpperCase() + words.slice(1).toLowerCase() : words
}

/** As it is shown in the text. */
export function shownVariable(name: string, fallback: string): string {
  return fallback ? t.writing.withFallback(variableLabel(name), fallback) : variableLabel(name)
}

/** An address becomes a link with a text: the address itself is of no use to readers. */
export function insertVariable(editor: Editor, name: string): void {
  const link = links.find(each => each === name)
  const content = link
    ? {
        type: 'text',
        text: t.writing.linkWords[link],
        marks: [{ type: 'link', attrs: { href: `{{${name}}}` } }],
      }
    : { type: 'variable', attrs: { name } }
  editor.chain().focus().insertContent(content).run()
}

// Attributes of blocks as the document in the browser has them: those that every block can have, and how they look while one writes.
import { Extension } from '@tiptap/core'
import { below, frameOf, frameSide, frameStyle, px, spaceOf, textSizeOf } from '../mail/box'
import { readableOn } from '../mail/contrast'
import { colourOf } from '../mail/document'

/** An attribute that style sheets see, and that survives copying. */
export const shown = (name: string, otherwise: unknown = null) => ({
  default: otherwise,
  parseHTML: (element: HTMLElement) => element.getAttribute(`data-${name}`) ?? otherwise,
  renderHTML: (attributes: Record<string, unknown>) =>
    attributes[name] === null || attributes[name] === '' ? {} : { [`data-${name}`]: attributes[name] },
})

export const json = (name: string, otherwise: unknown) => ({
  default: otherwise,
  parseHTML(element: HTMLElement): unknown {
    try {
      return JSON.parse(element.getAttribute(`data-${name}`) ?? '')
    } catch {
      return otherwise
    }
  },
  renderHTML: (attributes: Record<string, unknown>) => ({
    [`data-${name}`]: JSON.stringify(attributes[name]),
  }),
})

const texts = ['paragraph', 'heading', 'bulletList', 'orderedList', 'blockquote']
const framed = ['paragraph', 'heading', 'bulletList', 'orderedList', 'columns', 'section']
const spaced = [
  ...framed,
  'blockquote',
  'image',
  'video',
  'logo',
  'slot',
  'button',
  'divider',
  'social',
  'rows',
  'footer',
]

/** The styles are given to the DOM one by one, which the policy of the page allows. */
export const BoxAttributes = Extension.create({
  name: 'box',
  addGlobalAttributes: () => [
    {
      types: spaced,
      attributes: {
        paddingTop: shown('paddingTop'),
        paddingBottom: {
          ...shown('paddingBottom'),
          renderHTML: (attributes: Record<string, unknown>) => ({
            ...shown('paddingBottom').renderHTML(attributes),
            style: spaceStyle(attributes),
          }),
        },
      },
    },
    {
      types: framed,
      attributes: {
        border: shown('border'),
        borderColor: shown('borderColor'),
        radius: shown('radius'),
        background: {
          ...shown('background'),
          renderHTML(attributes: Record<string, unknown>) {
            const frame = frameOf(attributes)
            if (!frame) return {}
            const ink =
              frame.background && !attributes['color'] ? readableOn(frame.background, '#24211e') : ''
            const style = `${frameStyle(frame)}${ink && ink !== '#24211e' ? `color:${ink};` : ''}`
            return { ...shown('background').renderHTML(attributes), style }
          },
        },
      },
    },
    {
      types: texts,
      attributes: {
        fontSize: shown('fontSize'),
        lineHeight: shown('lineHeight'),
        color: {
          ...shown('color'),
          renderHTML: (attributes: Record<string, unknown>) => ({
            ...shown('color').renderHTML(attributes),
            style: textStyle(attributes),
          }),
        },
      },
    },
  ],
})

function spaceStyle(attrs: Record<string, unknown>): string {
  const isSet = attrs['paddingTop'] != null || attrs['paddingBottom'] != null
  const frame = frameOf(attrs)
  if (!isSet && !frame) return ''
  const [above, under] = spaceOf(attrs)
  if (frame)
    return `padding:${px(above)} ${px(frameSide)} ${px(under)};margin-bottom:${px(below)};--frame:${frameSide};`
  return `padding-top:${px(above)};margin-bottom:${px(attrs['paddingBottom'] == null ? below : under)};`
}

const sizes = [
  { size: 16, line: 25 },
  { size: 28, line: 36 },
  { size: 22, line: 30 },
  { size: 18, line: 26 },
]

function textStyle(attrs: Record<string, unknown>): string {
  const color = colourOf(attrs['color'], '')
  const isSized = attrs['fontSize'] != null || attrs['lineHeight'] != null
  const { size, line } = textSizeOf(attrs, sizes[Number(attrs['level']) || 0] ?? sizes[0]!)
  return `${color ? `color:${color};` : ''}${isSized ? `font-size:${size}px;line-height:${line}px;` : ''}`
}

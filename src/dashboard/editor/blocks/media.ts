// Images, videos and buttons as they are shown and changed while one writes.
import { type Editor, Node, type NodeViewRendererProps } from '@tiptap/core'
import type { Node as Model } from '@tiptap/pm/model'
import { t } from '../../texts'
import { pixels, px } from '../mail/box'
import { inkOn } from '../mail/contrast'
import { colourOf } from '../mail/document'
import { shown } from './attributes'

const imageAttributes = () => ({
  src: shown('src', ''),
  alt: shown('alt', ''),
  width: shown('width'),
  href: shown('href', ''),
  align: shown('align'),
  radius: shown('radius'),
})

const html = (name: string) => (attributes: Record<string, unknown>) =>
  ['div', { ...attributes, [`data-${name}`]: '', class: 'mail-image' }] as const

export const Image = Node.create({
  name: 'image',
  group: 'block simple',
  draggable: false,
  addAttributes: imageAttributes,
  parseHTML: () => [
    { tag: 'div[data-image]' },
    {
      tag: 'img[src]',
      // Pasted from elsewhere: only what a reader can load.
      getAttrs: element =>
        /^https?:/i.test(element.getAttribute('src') ?? '')
          ? { src: element.getAttribute('src'), alt: element.getAttribute('alt') ?? '' }
          : false,
    },
  ],
  renderHTML: ({ HTMLAttributes }) => html('image')(HTMLAttributes),
  addNodeView: () => imageView,
})

/** An image that leads to a video; its play button is part of the image. */
export const Video = Node.create({
  name: 'video',
  group: 'block simple',
  draggable: false,
  addAttributes: imageAttributes,
  parseHTML: () => [{ tag: 'div[data-video]' }],
  renderHTML: ({ HTMLAttributes }) => html('video')(HTMLAttributes),
  addNodeView: () => imageView,
})

const least = 32

function imageView({ node: given, editor, getPos }: NodeViewRendererProps) {
  let node = given
  const dom = document.createElement('div')
  const holder = document.createElement('span')
  const image = document.createElement('img')
  const missing = document.createElement('span')
  const knob = document.createElement('span')
  dom.className = 'mail-image'
  holder.className = 'mail-image-holder'
  missing.className = 'mail-missing'
  knob.className = 'mail-knob'
  // The width is in the panel as well, for those who drag nothing.
  knob.ariaHidden = 'true'
  holder.append(image, missing, knob)
  dom.append(holder)
  const draw = (): void => {
    const { src, alt, width, align } = node.attrs
    dom.dataset['align'] = align ?? 'left'
    image.src = src
    image.alt = alt
    image.style.width = width ? px(Number(width)) : '100%'
    image.style.borderRadius = px(pixels(node.attrs['radius'], 48) ?? 0)
    dom.style.paddingTop = px(pixels(node.attrs['paddingTop'], 96) ?? 0)
    dom.style.marginBottom = px(pixels(node.attrs['paddingBottom'], 96) ?? 16)
    missing.textContent = alt ? '' : t.writing.altMissing
  }
  knob.addEventListener('pointerdown', event =>
    resize(event, image, dom, width => keep(editor, getPos, width)),
  )
  draw()
  return {
    dom,
    update(changed: Model) {
      if (changed.type !== node.type) return false
      node = changed
      draw()
      return true
    },
    ignoreMutation: () => true,
    stopEvent: (event: Event) => event.target === knob,
  }
}

/** Snaps to the whole width and to half of it. */
function resize(
  down: PointerEvent,
  image: HTMLElement,
  room: HTMLElement,
  done: (width: number | null) => void,
): void {
  down.preventDefault()
  down.stopPropagation()
  const knob = down.target as HTMLElement
  knob.setPointerCapture(down.pointerId)
  const begun = image.getBoundingClientRect().width
  const most = room.clientWidth
  // An image in the middle grows to both sides.
  const times = room.dataset['align'] === 'center' ? 2 : room.dataset['align'] === 'right' ? -1 : 1
  let width = begun
  const move = (event: PointerEvent): void => {
    const wanted = begun + (event.clientX - down.clientX) * times
    const near = [most, most / 2].find(each => Math.abs(each - wanted) < 8)
    width = Math.round(Math.min(Math.max(near ?? wanted, least), most))
    image.style.width = px(width)
  }
  const end = (event: PointerEvent): void => {
    knob.removeEventListener('pointermove', move)
    knob.removeEventListener('pointerup', end)
    knob.removeEventListener('pointercancel', end)
    if (event.type === 'pointerup' && width !== begun) done(width >= most ? null : width)
    else image.style.width = px(begun)
  }
  knob.addEventListener('pointermove', move)
  knob.addEventListener('pointerup', end)
  knob.addEventListener('pointercancel', end)
}

function keep(editor: Editor, getPos: () => number | undefined, width: number | null): void {
  const pos = getPos()
  if (pos !== undefined) editor.view.dispatch(editor.state.tr.setNodeAttribute(pos, 'width', width))
}

export const ButtonBlock = Node.create({
  name: 'button',
  group: 'block simple',
  draggable: false,
  addAttributes: () => ({
    text: shown('text', ''),
    href: shown('href', ''),
    color: shown('color'),
    align: shown('align'),
    radius: shown('radius'),
  }),
  parseHTML: () => [{ tag: 'div[data-button]' }],
  renderHTML({ node, HTMLAttributes }) {
    const color = colourOf(node.attrs['color'], '')
    const radius = pixels(node.attrs['radius'], 48)
    const style = `${color ? `background:${color};color:${inkOn(color)};` : ''}${radius === undefined ? '' : `border-radius:${px(radius)};`}`
    return [
      'div',
      { ...HTMLAttributes, 'data-button': '', class: 'mail-button' },
      ['span', style ? { style } : {}, node.attrs['text'] || t.writing.button],
    ]
  },
})

// The pages behind the links in mails: what there is to decide, and how things stand after a decision, in the recipient's language. What
// is shown depends on the stored state alone, so that no address can make a page say something untrue. Pure.

import { escapeHtml } from '../../../lib/escape'
import {
  accentStyle,
  headersWith,
  logoOf,
  notice,
  type PageBrand,
  pageDocument,
} from '../../../lib/hosted-page'
import { snoozeDurations } from '../../audience/contacts'
import { pickLocale } from './language'
import { type ListLink, type PageName, queryOf } from './link'
import { fallback, type Locale } from './locales'
import { dateInWords, durationInWords, sentenceAsHtml } from './sentence'

export interface PageRecipient {
  id: string
  email: string
  subscribed: boolean
  snoozedUntil: Date | null
  projectName: string
  /** The recipient's own, if any. */
  locale: string | null
  projectLanguage: string
  /** A copy of what is kept, and its erasure. */
  offersData: boolean
  topics: ReadonlyArray<{ id: string; name: string; description: string | null; subscribed: boolean }>
  /** The topic of the link's message. */
  topicId: string | null
  brand?: PageBrand
}

/** What a page says besides the state: that a choice was saved, or why it was not, or that a mail was asked for. */
export type PageNotice = 'saved' | 'asked' | 'choose' | 'notSubscribed'

/** Everything that a part of a page needs to know. */
interface View {
  locale: Locale
  state: 'subscribed' | 'paused' | 'unsubscribed'
  isSaved: boolean
  /** The mail with the link to the data was asked for. */
  isAsked: boolean
  /** Fills the facts into a text; returns HTML. */
  say: (text: string) => string
  recipient: PageRecipient
  /** The query that makes the address of a page a valid link; HTML. */
  query: string
}

export function renderPreferencesPage(
  page: PageName,
  link: ListLink,
  recipient: PageRecipient,
  shown?: PageNotice,
): string {
  const locale = pickLocale(recipient.locale, recipient.projectLanguage)
  const view: View = {
    locale,
    state: recipient.subscribed ? 'subscribed' : recipient.snoozedUntil ? 'paused' : 'unsubscribed',
    isSaved: shown === 'saved',
    isAsked: shown === 'asked',
    say: text => fill(text, locale, recipient),
    recipient,
    query: escapeHtml(queryOf(link)),
  }
  const fault =
    shown === 'choose' || shown === 'notSubscribed' ? notice('alert', escapeHtml(locale.faults[shown])) : ''
  const { title, body } = pages[page](view)
  const heading = escapeHtml(title)
  const tab = `${heading} · ${escapeHtml(recipient.projectName)}`
  const top = `${logoOf(recipient.brand)}<h1>${heading}</h1>`
  return pageDocument(tab, `${top}${fault}${body}`, locale.code, styleOf(recipient))
}

/** Of a page that is about the recipient. */
export function pageHeadersOf(recipient: PageRecipient): Readonly<Record<string, string>> {
  return headersWith(styleOf(recipient), recipient.brand)
}

const styleOf = ({ brand }: PageRecipient): string => accentStyle(brand?.accent ?? null)

/** The page for a link that does not work; whose it is, and so the language, is not known. */
export function renderInvalid(locale: Locale = fallback): string {
  return renderWords(locale, locale.faults.invalidTitle, locale.faults.invalid)
}

/** The page for a link that is right, to something that another program showed and that is not here. */
export function renderMoved(locale: Locale): string {
  return renderWords(locale, locale.faults.goneTitle, locale.faults.gone)
}

/** The page behind every link of a test mail. */
export function renderTest(locale: Locale): string {
  return renderWords(locale, locale.faults.testTitle, locale.faults.test)
}

/** The page for an error on our side. */
export function renderBroken(locale: Locale): string {
  return renderWords(locale, locale.faults.brokenTitle, locale.faults.broken)
}

function renderWords(locale: Locale, title: string, text: string): string {
  const heading = escapeHtml(title)
  return pageDocument(heading, `<h1>${heading}</h1><p>${escapeHtml(text)}</p>`, locale.code)
}

interface Content {
  title: string
  body: string
}

const pages: Record<PageName, (view: View) => Content> = {
  unsubscribe: renderUnsubscribe,
  subscribe: renderSubscribe,
  manage: renderManage,
}

function renderUnsubscribe(view: View): Content {
  const { unsubscribe } = view.locale
  if (view.state === 'unsubscribed') {
    const back = `<p>${escapeHtml(unsubscribe.changedMind)}</p>${button(view, 'subscribe', unsubscribe.again)}`
    return {
      title: unsubscribe.doneTitle,
      body: outcome(view, unsubscribe.done) + back + link(view, 'manage', view.locale.manage.title),
    }
  }
  const topic = topicInQuestion(view.recipient)
  const body = [
    view.state === 'paused' ? paragraph(view, view.locale.manage.paused) : '',
    topic ? leaveTopic(view, topic) : paragraph(view, unsubscribe.question),
    button(
      view,
      'unsubscribe',
      leaveAll(view.locale, 'unsubscribe', view.recipient),
      topic ? undefined : 'main',
    ),
    snoozeForms(view),
    link(view, 'manage', unsubscribe.manageLink),
  ]
  return { title: unsubscribe.title, body: body.join('') }
}

function renderSubscribe(view: View): Content {
  const { subscribe, manage, snooze } = view.locale
  if (view.state === 'subscribed')
    return {
      title: subscribe.doneTitle,
      body: outcome(view, subscribe.done) + link(view, 'manage', manage.title),
    }
  const isPaused = view.state === 'paused'
  const body = [
    isPaused ? paragraph(view, manage.paused) : '',
    paragraph(view, subscribe.question),
    button(view, 'subscribe', isPaused ? snooze.resume : subscribe.button, 'main'),
    link(view, 'manage', manage.title),
  ]
  return { title: subscribe.title, body: body.join('') }
}

function renderManage(view: View): Content {
  const { manage, subscribe, snooze } = view.locale
  const { state } = view
  const body = [
    view.isSaved ? notice('status', view.say(manage[`${state}Note`])) : '',
    view.isAsked ? notice('status', view.say(view.locale.privacy.asked)) : '',
    paragraph(view, manage.description),
    `<dl><dt>${escapeHtml(manage.label)}</dt><dd>${view.say(manage[state])}</dd></dl>`,
    topicList(view),
    state === 'unsubscribed' ? button(view, 'subscribe', subscribe.button, 'main') : '',
    state === 'paused' ? button(view, 'subscribe', snooze.resume, 'main') : '',
    state === 'unsubscribed'
      ? ''
      : button(view, 'unsubscribe', leaveAll(view.locale, 'manage', view.recipient)),
    snoozeForms(view),
    state === 'unsubscribed'
      ? link(view, 'subscribe', manage.subscribeLink)
      : link(view, 'unsubscribe', manage.unsubscribeLink),
    ownData(view),
    `<p class="small">${escapeHtml(manage.disclaimer)}</p>`,
  ]
  return { title: manage.title, body: body.join('') }
}

type ShownTopic = PageRecipient['topics'][number]

/** The topic of the message that the link is from, as long as its mail goes to the recipient. */
export function topicInQuestion({ topics, topicId }: PageRecipient): ShownTopic | undefined {
  return topics.find(({ id, subscribed }) => subscribed && id === topicId)
}

/** What the button says by which all mail ends: beside a topic, that it is about more than that. */
export function leaveAll(locale: Locale, page: PageName, recipient: PageRecipient): string {
  const isBesideTopics =
    page === 'manage' ? recipient.topics.length > 0 : topicInQuestion(recipient) !== undefined
  return isBesideTopics ? locale.topics.everything : locale.unsubscribe.button
}

/** The question about the topic of the message, with everything one button further. */
function leaveTopic(view: View, topic: ShownTopic): string {
  const question = fill(view.locale.topics.question, view.locale, view.recipient, topic.name)
  return `<p>${question}</p>${topicButton(view, topic, 'leave', ' class="main"')}`
}

/** Nobody who gets nothing at all is asked about parts of it. */
function topicList(view: View): string {
  const { locale, recipient, state } = view
  if (state === 'unsubscribed' || recipient.topics.length === 0) return ''
  const items = recipient.topics.map(topic => {
    const words = topic.subscribed ? locale.manage.subscribed : locale.manage.unsubscribed
    const more = topic.description ? `<p class="small"><bdi>${escapeHtml(topic.description)}</bdi></p>` : ''
    return (
      `<h3><bdi>${escapeHtml(topic.name)}</bdi></h3>${more}<p>${escapeHtml(words)}</p>` +
      topicButton(view, topic, topic.subscribed ? 'leave' : 'join')
    )
  })
  const title = escapeHtml(locale.topics.title)
  return `<section aria-labelledby="topics"><h2 id="topics">${title}</h2>${items.join('')}</section>`
}

/** Several buttons with the same word are told apart by their labels. */
function topicButton(
  view: View,
  { id, name }: ShownTopic,
  action: 'join' | 'leave',
  attributes = '',
): string {
  const text = action === 'join' ? view.locale.subscribe.button : view.locale.unsubscribe.button
  const label = escapeHtml(`${text}: ${name}`)
  return (
    `${opening(view)}<input type="hidden" name="topic" value="${id}">` +
    `<button${attributes} name="action" value="${action}" aria-label="${label}">${escapeHtml(text)}</button></form>`
  )
}

/** Somebody who gets nothing is not offered a pause. */
function snoozeForms(view: View): string {
  if (view.state === 'unsubscribed') return ''
  const { snooze } = view.locale
  const title = view.state === 'paused' ? snooze.changeTitle : snooze.title
  const options = snoozeDurations.map(
    each => `<option value="${each}">${escapeHtml(durationInWords(each, view.locale.code))}</option>`,
  )
  return (
    `<section aria-labelledby="pause"><h2 id="pause">${escapeHtml(title)}</h2>${opening(view)}` +
    `<label for="duration">${escapeHtml(snooze.label)}</label><select id="duration" name="duration">${options.join('')}</select>` +
    `<button name="action" value="snooze">${escapeHtml(snooze.button)}</button></form></section>`
  )
}

/** The way to a copy of what is kept, and to its erasure: whoever holds a link of a mail, which may have been passed on, gets a mail first. */
function ownData(view: View): string {
  const { locale, recipient, query } = view
  if (!recipient.offersData) return ''
  const { title, offer, button } = locale.privacy
  return (
    `<section aria-labelledby="data"><h2 id="data">${escapeHtml(title)}</h2>${paragraph(view, offer)}` +
    `<form method="post" action="../privacy/${recipient.id}/link?${query}"><button>${escapeHtml(button)}</button></form></section>`
  )
}

/** The current state; right after a decision it is presented as news. */
function outcome(view: View, text: string): string {
  return view.isSaved ? notice('status', view.say(text)) : paragraph(view, text)
}

function paragraph(view: View, text: string): string {
  return `<p>${view.say(text)}</p>`
}

function link(view: View, page: PageName, text: string): string {
  return `<p><a href="../${page}/${view.recipient.id}?${view.query}">${escapeHtml(text)}</a></p>`
}

function button(view: View, action: 'subscribe' | 'unsubscribe', text: string, kind?: 'main'): string {
  const attributes = kind ? ` class="${kind}"` : ''
  return `${opening(view)}<button${attributes} name="action" value="${action}">${escapeHtml(text)}</button></form>`
}

/** The address of the page that shows the form, with nothing in it but the link. */
function opening({ query }: View): string {
  return `<form method="post" action="?${query}">`
}

function fill(
  text: string,
  locale: Locale,
  { email, projectName, snoozedUntil }: PageRecipient,
  topic = '',
): string {
  const date = snoozedUntil ? dayElement(snoozedUntil, locale.code) : ''
  return sentenceAsHtml(text, { email, projectName, topic }, { date })
}

function dayElement(day: Date, code: string): string {
  return `<time datetime="${day.toISOString()}">${escapeHtml(dateInWords(day, code))}</time>`
}

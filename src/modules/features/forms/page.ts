// The pages of a form: the form itself, the step between, what follows, and the one behind the link in the mail. What they show does not depend on
// whether anybody knows the address. Pure.
import { escapeHtml } from '../../../lib/escape'
import {
  accentStyle,
  headersWith,
  logoOf,
  notice,
  type PageBrand,
  pageDocument,
} from '../../../lib/hosted-page'
import {
  acceptedLanguages,
  type Locale,
  languageCodes,
  pickLocale,
  sentenceAsHtml,
} from '../../sending/preferences'
import type { FormField, FormRow } from './schema'
import { defaultTextLength, inputName } from './values'

/** A form as its page needs it. */
export interface PublicForm
  extends Pick<
    FormRow,
    'id' | 'projectId' | 'enabled' | 'language' | 'topicIds' | 'fields' | 'look' | 'redirectUrl'
  > {
  projectName: string
  projectLanguage: string
  projectDisabled: boolean
  keepsClients: boolean
  brand?: PageBrand
}

export interface FormPage {
  html: string
  headers: Readonly<Record<string, string>>
}

export interface PagedForm extends WordedForm {
  id: string
  fields: FormField[]
}

/** What was entered, and what of it can't be taken. */
export interface Entered {
  posted: URLSearchParams
  fault: keyof Locale['forms']['faults']
  /** Keys of fields; `email` is the address. */
  marked: readonly string[]
}

const styleOfAll = `
.trap { position: absolute; left: -999rem; }
.tick { display: flex; gap: .6rem; align-items: start; margin-bottom: 1rem; padding-top: .25rem; }
.tick input { width: 1.25rem; min-height: 1.25rem; margin: .15rem 0 0; flex: none; }
.tick label { margin: 0; }
[aria-invalid] { border: 2px solid var(--alarm); }
.agreed { margin: 0 0 1rem; font-size: .875rem; color: var(--quiet); }
`

/** The accent is `#rrggbb`, and nothing else of the project's reaches the style. */
function styleOf({ look, brand }: WordedForm): string {
  return `${styleOfAll}${accentStyle(look.accent ?? brand?.accent ?? null)}`
}

function page(form: WordedForm, locale: Locale, title: string, body: string): FormPage {
  const heading = escapeHtml(title)
  const style = styleOf(form)
  const tab = `${heading} · ${escapeHtml(form.projectName)}`
  return {
    html: pageDocument(tab, `${logoOf(form.brand)}<h1>${heading}</h1>${body}`, locale.code, style),
    headers: headersWith(style, form.brand),
  }
}

export function renderForm(form: PagedForm, locale: Locale, ticket: string, entered?: Entered): FormPage {
  const { heading, text, consent, button } = formWords(form, locale)
  const was = (name: string): string => entered?.posted.get(name)?.slice(0, 2_000) ?? ''
  const inputs = [
    { key: 'email', input: emailInput(locale.forms.email, was('email')) },
    ...form.fields.map(field => ({ key: field.key, input: fieldInput(field, was(inputName(field.key))) })),
  ]
  const body = [
    entered ? notice('alert', escapeHtml(locale.forms.faults[entered.fault])) : '',
    text === null ? '' : `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`,
    `<form method="post" action="${form.id}">${hidden('language', locale.code)}${hidden('ticket', ticket)}`,
    ...inputs.map(({ key, input }) => labelled(input, locale, entered?.marked.includes(key) ?? false)),
    trap,
    `<p class="agreed">${escapeHtml(consent)}</p>`,
    `<button class="main">${escapeHtml(button)}</button></form>`,
  ]
  return page(form, locale, heading, body.join(''))
}

const trap =
  '<div class="trap" aria-hidden="true"><label>Website <input name="website" tabindex="-1" autocomplete="off"></label></div>'

function hidden(name: string, value: string): string {
  return `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`
}

function labelled(input: FormInput, locale: Locale, isMarked: boolean): string {
  const element = input.html(` id="${input.id}"${isMarked ? ' aria-invalid="true"' : ''}`)
  const more = input.required || input.isBox ? '' : ` (${locale.forms.optional})`
  const label = `<label for="${input.id}">${escapeHtml(`${input.label}${more}`)}</label>`
  return input.isBox ? `<div class="tick">${element}${label}</div>` : `${label}${element}`
}

/** What was entered, once more in hidden fields, with a time stamp: a person presses a button, and a program has to wait. */
export function renderStep(
  form: PagedForm,
  locale: Locale,
  ticket: string,
  posted: URLSearchParams,
): FormPage {
  const { step } = locale.forms
  const names = ['email', ...form.fields.map(({ key }) => inputName(key))]
  const kept = names.flatMap(name => {
    const value = posted.get(name)
    return value ? [hidden(name, value)] : []
  })
  const fields = `${hidden('language', locale.code)}${hidden('ticket', ticket)}${kept.join('')}`
  const button = `<button class="main">${escapeHtml(step.button)}</button>`
  const body = `<p>${escapeHtml(step.text)}</p><form method="post" action="${form.id}">${fields}${button}</form>`
  return page(form, locale, step.title, body)
}

export function renderAsked(form: WordedForm, locale: Locale): FormPage {
  const { title, text } = locale.forms.asked
  return page(form, locale, title, notice('status', escapeHtml(text)))
}

export function renderBusy(form: WordedForm, locale: Locale): FormPage {
  return page(
    form,
    locale,
    formWords(form, locale).heading,
    notice('alert', escapeHtml(locale.forms.faults.tooMany)),
  )
}

/** The question behind the link, or how it was answered. */
export function renderConfirm(
  form: WordedForm & { redirectUrl: string | null },
  locale: Locale,
  { email, token, isConfirmed }: { email: string; token: string; isConfirmed: boolean },
): FormPage {
  const { confirm } = locale.forms
  const say = (text: string): string => sentenceAsHtml(text, { email, projectName: form.projectName })
  if (isConfirmed) {
    const on = form.redirectUrl
    const link = on === null ? '' : `<p><a href="${escapeHtml(on)}">${escapeHtml(new URL(on).host)}</a></p>`
    return page(form, locale, locale.subscribe.doneTitle, notice('status', say(locale.subscribe.done)) + link)
  }
  const button = `<button class="main">${escapeHtml(confirm.button)}</button>`
  const action = `?t=${encodeURIComponent(token)}`
  const body = `<p>${say(locale.subscribe.question)}</p><form method="post" action="${action}">${button}</form>`
  return page(form, locale, confirm.title, body)
}

/** For a form that is closed, and for a link that is no longer good: whose they were is not told. */
export function renderGone(locale: Locale, what: 'closed' | 'over'): string {
  const { title, text } = locale.forms[what]
  return pageDocument(
    escapeHtml(title),
    `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`,
    locale.code,
  )
}

export type WordedForm = Pick<PublicForm, 'language' | 'look' | 'projectName' | 'projectLanguage'> & {
  brand?: PageBrand
}

export interface FormWords {
  heading: string
  text: string | null
  consent: string
  button: string
}

export function formWords({ look, projectName }: WordedForm, locale: Locale): FormWords {
  return {
    heading: look.heading ?? locale.subscribe.title,
    text: look.text,
    consent: look.consent ?? locale.forms.consent.replace('{projectName}', () => projectName),
    button: look.button ?? locale.subscribe.button,
  }
}

/** For the ledger of consent: `[en] Newsletter / By subscribing you agree … / Subscribe`. */
export function formWording(form: WordedForm, locale: Locale): string {
  const { heading, text, consent, button } = formWords(form, locale)
  // What was agreed to comes first: the ledger cuts what is too long.
  const parts = [heading, consent, button, text].filter(part => part !== null)
  return `[${locale.code}] ${parts.join(' / ')}`
}

/** The form's own language, else that in which the visitor was shown it, else what the browser asks for. */
export function formLocale(form: WordedForm, shown: string | null, accepted: string | null): Locale {
  if (form.language !== null) return pickLocale(form.language)
  if (shown !== null && languageCodes.includes(shown)) return pickLocale(shown)
  return pickLocale(...acceptedLanguages(accepted), form.projectLanguage)
}

/** The form as HTML for any page: it works without a script, and shows itself in the look of that page. */
export function formSnippet(form: WordedForm & { fields: FormField[] }, locale: Locale, url: string): string {
  const { consent, button } = formWords(form, locale)
  const inputs = [emailInput(locale.forms.email), ...form.fields.map(field => fieldInput(field))]
  return [
    `<form action="${escapeHtml(url)}" method="post" data-waxwing-form>`,
    `  <input type="hidden" name="language" value="${locale.code}">`,
    ...inputs.map(input => `  <p>${inLabel(input)}</p>`),
    // For programs that fill in whatever there is.
    '  <p hidden><label>Website <input name="website" tabindex="-1" autocomplete="off"></label></p>',
    `  <p><small>${escapeHtml(consent)}</small></p>`,
    `  <p><button>${escapeHtml(button)}</button></p>`,
    '</form>',
  ].join('\n')
}

function inLabel({ label, isBox, html }: FormInput): string {
  const words = escapeHtml(label)
  return isBox ? `<label>${html()} ${words}</label>` : `<label>${words}<br>${html()}</label>`
}

export interface FormInput {
  id: string
  label: string
  /** A box stands before its label. */
  isBox: boolean
  required: boolean
  /** With `id="…"` where one is given. */
  html: (more?: string) => string
}

export function emailInput(label: string, value = ''): FormInput {
  const html = (more = ''): string =>
    `<input type="email" name="email" autocomplete="email" required maxlength="254"${valued(value)}${more}>`
  return { id: 'email', label, isBox: false, required: true, html }
}

export function fieldInput(field: FormField, value = ''): FormInput {
  const { key, label, type, required } = field
  const name = ` name="${inputName(key)}"${required ? ' required' : ''}`
  const html = (more = ''): string => element(field, `${name}${more}`, value)
  return { id: `field-${key}`, label, isBox: type === 'checkbox', required, html }
}

function element(
  { type, maxLength, min, max, options = [] }: FormField,
  names: string,
  value: string,
): string {
  switch (type) {
    case 'text':
      return `<input type="text"${names} maxlength="${maxLength ?? defaultTextLength}"${valued(value)}>`
    case 'number':
      return `<input type="number" step="any"${names}${bound('min', min)}${bound('max', max)}${valued(value)}>`
    case 'date':
      return `<input type="date"${names}${valued(value)}>`
    case 'checkbox':
      return `<input type="checkbox"${names} value="on"${value === '' ? '' : ' checked'}>`
    case 'choice':
      return `<select${names}>${['', ...options].map(each => option(each, value)).join('')}</select>`
  }
}

function option(text: string, chosen: string): string {
  const words = escapeHtml(text)
  return `<option value="${words}"${text === chosen && text !== '' ? ' selected' : ''}>${words}</option>`
}

const valued = (value: string): string => (value === '' ? '' : ` value="${escapeHtml(value)}"`)
const bound = (name: string, value: number | undefined): string =>
  value === undefined ? '' : ` ${name}="${value}"`

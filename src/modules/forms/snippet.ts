// The form as HTML for any page: it works without a script, and shows itself in the look of that page. Pure.
import { escapeHtml } from '../../lib/escape'
import type { Locale } from '../preferences'
import { emailInput, type FormInput, fieldInput } from './inputs'
import type { FormField } from './schema'
import { formWords, type WordedForm } from './wording'

export function formSnippet(form: WordedForm & { fields: FormField[] }, locale: Locale, url: string): string {
  const { consent, button } = formWords(form, locale)
  const inputs = [emailInput(locale.forms.email), ...form.fields.map(field => fieldInput(field))]
  return [
    `<form action="${escapeHtml(url)}" method="post" data-waxwing-form>`,
    `  <input type="hidden" name="language" value="${locale.code}">`,
    ...inputs.map(input => `  <p>${labelled(input)}</p>`),
    // For programs that fill in whatever there is.
    '  <p hidden><label>Website <input name="website" tabindex="-1" autocomplete="off"></label></p>',
    `  <p><small>${escapeHtml(consent)}</small></p>`,
    `  <p><button>${escapeHtml(button)}</button></p>`,
    '</form>',
  ].join('\n')
}

function labelled({ label, isBox, html }: FormInput): string {
  const words = escapeHtml(label)
  return isBox ? `<label>${html()} ${words}</label>` : `<label>${words}<br>${html()}</label>`
}

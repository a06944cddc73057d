// The pages behind the links of platform mails: one form each, so that they work where no dashboard does. Pure.
import { escapeHtml } from '../../../lib/escape'
import { notice, pageDocument } from '../../../lib/hosted-page'
import { mark } from '../../../lib/mark'
import type { SignInProvider } from './oauth'
import { maxPasswordLength, minPasswordLength } from './password'

/** What the link of an invitation is about. */
export interface InvitationOffer {
  email: string
  /** In words: "a member". */
  role: string
  projectName: string
  /** Whether the link was mailed, so that whoever holds it reads the mail of the address. */
  provesAddress: boolean
}

/** Pages about accounts are Waxwing's own; those about a subscription belong to the project, and name nobody else. */
const brand = `<p class="brand">${mark}Waxwing</p>`

/** The form for a new password; `note` says what was wrong with the last one. */
export function renderResetPage(token: string, note?: string): string {
  return page(
    'Set a new password',
    `${fault(note)}<p>Setting it ends all sessions of your account.</p>${form('reset-password/form', token, passwordField, 'Set the password')}`,
  )
}

export function renderVerifyPage(token: string): string {
  return page(
    'Confirm your e-mail address',
    `<p>Please confirm that this address belongs to the account that you made. If you made none, close this page.</p>${form('verify-email/form', token, '', 'Confirm')}`,
  )
}

/** Makes an account for the invited address, or takes over one whose address nobody has proved. */
export function renderInvitationPage(token: string, offer: InvitationOffer, note?: string): string {
  const { email, role, projectName } = offer
  return page(
    `Join ${projectName}`,
    `${fault(note)}<p>You’re invited as <strong>${escapeHtml(role)}</strong>. Choose a password for your account, <strong>${escapeHtml(email)}</strong>.</p>${form('invitation/form', token, passwordField, 'Set the password and join')}`,
  )
}

const emailField =
  '<label for="email">E-mail address</label><input id="email" name="email" type="email" autocomplete="username" required maxlength="320">'

/** Signs in with a password or one of the providers, which have their names with them. */
export function renderLoginPage(offered: ReadonlyMap<SignInProvider, string>, note?: string): string {
  const fields =
    emailField +
    `<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required maxlength="${maxPasswordLength}">`
  const links = Array.from(
    offered,
    ([provider, name]) =>
      `<p><a href="../oauth/${provider}/outbound">Sign in with ${escapeHtml(name)}</a></p>`,
  )
  const form = `<form method="post" action="login/form">${fields}<button class="main">Sign in</button></form>`
  const forgotten = '<p><a href="forgot-password">Forgotten password</a></p>'
  return page('Sign in', `${fault(note)}${form}${forgotten}${links.join('')}`)
}

/** The second step of signing in. */
export function renderCodePage(token: string, note?: string): string {
  const field =
    '<label for="code">Code of your authenticator, or a recovery code</label>' +
    '<input id="code" name="code" autocomplete="one-time-code" required maxlength="64">'
  return page('Sign in', `${fault(note)}${form('login-code/form', token, field, 'Sign in')}`)
}

/** Asks for the address that a link for a new password is mailed to. */
export function renderForgotPage(note?: string): string {
  const form = `<form method="post" action="forgot-password/form">${emailField}<button class="main">Mail me a link</button></form>`
  return page('Forgotten password', `${fault(note)}${form}`)
}

/** Says that something is done, or why it can't be. */
export function renderWords(title: string, words: string): string {
  return page(title, `<p>${escapeHtml(words)}</p>`)
}

/** Says that something is done, and leads on to the dashboard; relative, whatever name and path the instance is reached under. */
export function renderDone(title: string, words: string): string {
  return page(title, `<p>${escapeHtml(words)}</p><p><a href="../../app/">Go to the dashboard</a></p>`)
}

export function renderDeadLink(): string {
  return renderWords(
    'This link is not valid',
    'It may be incomplete, used already, or too old. Please use the link of the e-mail as it is, or ask for another one.',
  )
}

function page(title: string, body: string): string {
  const safe = escapeHtml(title)
  return pageDocument(safe, `${brand}<h1>${safe}</h1>${body}`)
}

function fault(note: string | undefined): string {
  return note === undefined ? '' : notice('alert', escapeHtml(note))
}

const passwordField =
  '<label for="password">Password, at least 8 characters</label>' +
  `<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${minPasswordLength}" maxlength="${maxPasswordLength}">`

/** The token travels in the body from here on, out of sight of logs and histories. */
function form(action: string, token: string, fields: string, button: string): string {
  return `<form method="post" action="${action}"><input type="hidden" name="token" value="${escapeHtml(token)}">${fields}<button class="main">${button}</button></form>`
}

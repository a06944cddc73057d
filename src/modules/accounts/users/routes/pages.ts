// The pages that links in platform mails lead to. A GET shows a form and changes nothing, because mail clients and scanners follow links;
// the form's POST acts.
import { Elysia } from 'elysia'
import { clientAddress, isLocalClient } from '../../../../http/request-id'
import { isEmail, normaliseEmail } from '../../../../lib/address'
import { AppError } from '../../../../lib/errors'
import { pageHeaders } from '../../../../lib/hosted-page'
import type { Context } from '../../../../platform/context'
import { type Arrival, openSession } from '../guard'
import {
  renderDeadLink,
  renderDone,
  renderForgotPage,
  renderInvitationPage,
  renderResetPage,
  renderVerifyPage,
  renderWords,
} from '../page'
import { maxPasswordLength, minPasswordLength } from '../password'
import {
  findOffer,
  isResetLink,
  isVerificationLink,
  requestReset,
  resetPassword,
  type SignUpClient,
  signUp,
  verifyEmail,
} from '../service'
import { tokenLength } from '../tokens'

export function pageRoutes(ctx: Context) {
  return new Elysia({ prefix: '/auth', detail: { hide: true } })
    .use(verifyPages(ctx))
    .use(forgotPages(ctx))
    .use(resetPages(ctx))
    .use(invitationPages(ctx))
}

function verifyPages(ctx: Context) {
  return new Elysia({ detail: { hide: true } })
    .get('/verify-email', async ({ request }) => {
      const token = tokenOf(new URL(request.url).searchParams)
      return token && (await isVerificationLink(ctx, token)) ? html(200, renderVerifyPage(token)) : deadLink()
    })
    .post(
      '/verify-email/form',
      async ({ request }) => {
        const token = tokenOf(await readForm(request))
        return await orDeadLink(token, async good => {
          await verifyEmail(ctx, good)
          return html(200, renderDone('Thank you', 'Your e-mail address is confirmed.'))
        })
      },
      { parse: 'none' },
    )
}

function forgotPages(ctx: Context) {
  return new Elysia({ detail: { hide: true } })
    .get('/forgot-password', () => html(200, renderForgotPage()))
    .post(
      '/forgot-password/form',
      async ({ request }) => {
        const email = ((await readForm(request)).get('email') ?? '').slice(0, 400)
        if (!isEmail(normaliseEmail(email)))
          return html(422, renderForgotPage('Please give an e-mail address.'))
        await requestReset(ctx, { email, clientAddress: clientAddress(request) })
        return html(
          200,
          renderWords(
            'Check your mail',
            'If the address has an account with a password, a link is on its way.',
          ),
        )
      },
      { parse: 'none' },
    )
}

function resetPages(ctx: Context) {
  return new Elysia({ detail: { hide: true } })
    .get('/reset-password', async ({ request }) => {
      const token = tokenOf(new URL(request.url).searchParams)
      return token && (await isResetLink(ctx, token)) ? html(200, renderResetPage(token)) : deadLink()
    })
    .post(
      '/reset-password/form',
      async ({ request }) => {
        const form = await readForm(request)
        return await orDeadLink(tokenOf(form), async token => {
          const newPassword = form.get('password') ?? ''
          const fault = faultOfPassword(newPassword)
          if (fault) return html(422, renderResetPage(token, fault))
          await resetPassword(ctx, { token, newPassword })
          return html(200, renderDone('Your password is set', 'You can sign in with it now.'))
        })
      },
      { parse: 'none' },
    )
}

function invitationPages(ctx: Context) {
  return new Elysia({ detail: { hide: true } })
    .get('/invitation', async ({ request }) => {
      const token = tokenOf(new URL(request.url).searchParams)
      const offer = token && (await findOffer(ctx, token))
      return token && offer ? html(200, renderInvitationPage(token, offer)) : deadLink()
    })
    .post(
      '/invitation/form',
      async ({ request, cookie }) => {
        const form = await readForm(request)
        const client = { clientAddress: clientAddress(request), isLocal: isLocalClient(request) }
        const answer = { password: form.get('password') ?? '', ...client }
        return await orDeadLink(tokenOf(form), token => join(ctx, { request, cookie }, token, answer))
      },
      { parse: 'none' },
    )
}

async function join(
  ctx: Context,
  arrival: Arrival,
  token: string,
  answer: { password: string } & SignUpClient,
): Promise<Response> {
  const offer = await findOffer(ctx, token)
  if (!offer) return deadLink()
  const fault = faultOfPassword(answer.password)
  if (fault) return html(422, renderInvitationPage(token, offer, fault))
  try {
    const user = await signUp(ctx, { ...answer, email: offer.email, invitationToken: token })
    await openSession(ctx, arrival, user)
    return html(
      200,
      renderDone(`Welcome to ${offer.projectName}`, 'Your password is set and you are signed in.'),
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 409) throw error
    const words = 'An account with your address exists. Sign in with it to join.'
    return html(409, renderWords('You have an account already', words))
  }
}

/** Runs `act` with the token; a link that is not valid gets a page too. */
async function orDeadLink(
  token: string | undefined,
  act: (token: string) => Promise<Response>,
): Promise<Response> {
  if (!token) return deadLink()
  try {
    return await act(token)
  } catch (error) {
    if (error instanceof AppError && [400, 403].includes(error.status)) return deadLink()
    throw error
  }
}

async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text())
}

function tokenOf(values: URLSearchParams): string | undefined {
  const token = values.get('token') ?? ''
  return token.length === tokenLength && /^[0-9a-f]+$/.test(token) ? token : undefined
}

function faultOfPassword(password: string): string | undefined {
  if (password.length < minPasswordLength) return `Please choose at least ${minPasswordLength} characters.`
  return password.length > maxPasswordLength
    ? `Please choose at most ${maxPasswordLength} characters.`
    : undefined
}

function deadLink(): Response {
  return html(404, renderDeadLink())
}

function html(status: number, text: string): Response {
  return new Response(text, { status, headers: pageHeaders })
}

// The last steps of every message, whoever sends it: composed as MIME, signed, and handed to the transport. Whatever goes wrong on the
// way is an answer too: an error thrown from here would leave the message without one, and it would be sent again without a plan.
import { asciiAddress } from '../../lib/address'
import { type Allocate, inArena } from '../../lib/arena'
import type { CpuThrottle } from '../../lib/cpu-throttle'
import { type SignHeader, type SigningKey, signMessage } from '../../mail/dkim/sign'
import { type SendResult, withdrawn } from '../../mail/message'
import type { ComposedMail } from '../../mail/mime/mail'
import { buildMime, type EncodedBodies } from '../../mail/mime/message'
import type { Context } from '../context'
import { largeWorkOf } from '../large-work'
import { signManyHeaders } from '../signing/signer'
import { noteResult } from './health'
import type { MailFacts } from './several/conditions'
import type { MailRoute, Routes } from './several/several'
import { movesOn } from './several/verdict'
import type { Transport } from './transport'

/** A message that is ready to leave. */
export interface OutgoingMessage {
  mail: ComposedMail
  /** In place of what is composed of it: the bytes of a message that came finished, with whole line ends. */
  finished?: Uint8Array
  /** Bodies that are encoded already, because they are shared with other messages. */
  encoded?: EncodedBodies
  /** Not signed if there is none. */
  key?: SigningKey
  /** Of the envelope, if they differ from the one in its header To. */
  recipients?: readonly [string, ...string[]]
  /** Of the envelope, if it is not the sender. */
  returnPath?: string
}

/** One hand-over to one transport, and what became of it. */
export interface HandOverTry {
  /** What it is: smtp, ses, sendmail. */
  transport: string
  /** Its name, where there are several. */
  transportName?: string
  startedAt: Date
  finishedAt: Date
  result: SendResult
}

export interface HandedOver {
  /** In their order; empty if the message has to wait for its turn, or was withdrawn. */
  tries: HandOverTry[]
  /** The route that it is to take is at its pace until then. */
  heldUntil?: Date
}

/** Whether a message may be sent by a route now. */
export interface RouteTurn {
  /** It has to wait for its turn there. */
  heldUntil?: Date
  /** The route takes no more before then, but another one may. */
  fullUntil?: Date
  /** Must be told the outcome; undefined: it was not sent by that route after all. Never rejects. */
  end?(result: SendResult | undefined): Promise<void>
}

/** `isLastResort`: no other route is left. Never rejects. */
export type RoutePace = (route: MailRoute, isLastResort: boolean) => Promise<RouteTurn>

type HandOverContext = Pick<Context, 'mail' | 'log' | 'clock' | 'requests' | 'metrics'>

interface HandOverOptions {
  /** Keeps each route to its own pace. */
  pace?: RoutePace | undefined
  /** Aborts when another run may hand the message over: then this one doesn't. */
  signal?: AbortSignal
}

/** Never rejects. `prepare` may look up what it takes to make the message. */
export async function handOver(
  ctx: HandOverContext,
  facts: MailFacts,
  prepare: () => Promise<OutgoingMessage>,
  options: HandOverOptions = {},
): Promise<HandedOver> {
  const { mail } = ctx
  const message = { id: facts.id, prepare, signal: options.signal }
  if (mail.routes) return await handOverToOneOf(ctx, mail.routes, facts, message, options.pace)
  const tried = await tryBy(ctx, mail, mail.name, message)
  return { tries: isWithdrawn(tried) ? [] : [tried] }
}

/** What each route is asked to send. */
interface PreparedMessage {
  id: string
  prepare: () => Promise<OutgoingMessage>
  signal: AbortSignal | undefined
}

function isWithdrawn({ result }: HandOverTry): boolean {
  return 'withdrawn' in result && result.withdrawn === true
}

/**
 * A route that fails as a whole, or has taken enough for today, hands the message on to the next at once. Where all of them cool, the one that
 * did so first is tried.
 */
async function handOverToOneOf(
  ctx: HandOverContext,
  routes: Routes,
  facts: MailFacts,
  message: PreparedMessage,
  pace: RoutePace | undefined,
): Promise<HandedOver> {
  const tries: HandOverTry[] = []
  const preparedOnce = { ...message, prepare: memoised(message.prepare) }
  const candidates = routes.for(facts)
  const full = new Map<MailRoute, Date>()
  const takeRoute = async (route: MailRoute, isLastResort = false): Promise<Date | 'done' | 'next'> => {
    const turn = (await pace?.(route, isLastResort)) ?? {}
    if (turn.heldUntil) return turn.heldUntil
    if (turn.fullUntil) {
      full.set(route, turn.fullUntil)
      return isLastResort ? turn.fullUntil : 'next'
    }
    if (!isLastResort && !route.isOpen()) {
      await turn.end?.(undefined)
      return 'next'
    }
    const leave = route.enter()
    const tried = await tryBy(ctx, route.transport, route.entry.name, preparedOnce)
    leave(tried.result)
    await turn.end?.(tried.result)
    if (isWithdrawn(tried)) return 'done'
    tries.push({ ...tried, transportName: route.entry.name })
    return movesOn(tried.result) ? 'next' : 'done'
  }
  for (const route of candidates) {
    if (!route.isOpen()) continue
    const taken = await takeRoute(route)
    if (taken instanceof Date) return { tries, heldUntil: taken }
    if (taken === 'done') return { tries }
  }
  if (tries.length > 0 && full.size === 0) return { tries }
  const taken = await takeRoute(lastResort(candidates, full), true)
  if (!(taken instanceof Date) || tries.length > 0) return { tries }
  const recoveries = candidates.flatMap(route => route.health().coolsUntil ?? [])
  return { tries, heldUntil: new Date(Math.min(...[taken, ...recoveries].map(Number))) }
}

/** One that has taken enough for today does at least work. */
function lastResort(candidates: readonly MailRoute[], full: ReadonlyMap<MailRoute, Date>): MailRoute {
  const [working] = full.keys()
  return working ?? firstToRecover(candidates)
}

function firstToRecover(routes: readonly MailRoute[]): MailRoute {
  const untilOf = (route: MailRoute): number => route.health().coolsUntil?.getTime() ?? 0
  return routes.reduce((best, route) => (untilOf(route) < untilOf(best) ? route : best))
}

function memoised<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function tryBy(
  ctx: HandOverContext,
  transport: Transport,
  name: string,
  message: PreparedMessage,
): Promise<HandOverTry> {
  const startedAt = ctx.clock.now()
  const result = await resultOf(ctx, transport, message)
  noteResult(ctx, name, result)
  return { transport: transport.name, startedAt, finishedAt: ctx.clock.now(), result }
}

async function resultOf(
  { log, requests }: HandOverContext,
  transport: Transport,
  message: PreparedMessage,
): Promise<SendResult> {
  try {
    const { throttle } = largeWorkOf({ requests })
    return await inArena(
      allocate => sendWith(transport, message, { sign: signManyHeaders, allocate, throttle }),
      isAnswer,
    )
  } catch (error) {
    log.error({ message: message.id, error: String(error) }, 'a message could not be handed to the transport')
    const response = 'internal error: the message could not be handed over'
    return { outcome: 'deferred', internal: true, response }
  }
}

/** Whoever answered reads no further. Without an answer the bytes may still wait in a connection that is being given up. */
function isAnswer({ code }: SendResult): boolean {
  return code !== undefined
}

async function sendWith(
  transport: Transport,
  { id, prepare, signal }: PreparedMessage,
  { sign, allocate, throttle }: { sign: SignHeader; allocate: Allocate; throttle: CpuThrottle },
): Promise<SendResult> {
  const message = await prepare()
  const { mail, recipients, returnPath } = message
  const signed = transport.signsItself ? message : { ...message, key: undefined }
  const raw = await finishedBytes(signed, sign, allocate)
  const [to, ...also] = (recipients ?? [mail.to]).map(asciiAddress) as [string, ...string[]]
  const envelope = {
    from: asciiAddress(mail.from),
    to,
    ...(also.length > 0 ? { also } : {}),
    ...(returnPath ? { returnPath } : {}),
  }
  if (signal?.aborted) return withdrawn
  const finished = { id, envelope, raw, isComposed: true, allocate, throttle, signal } as const
  return storable(await transport.send(finished))
}

/** The complete message, signed where there is a key for it. The same one gives the same bytes. */
export async function finishedBytes(
  { mail, finished, encoded, key }: OutgoingMessage,
  sign: SignHeader = signManyHeaders,
  allocate?: Allocate,
): Promise<Uint8Array> {
  const plain = finished ?? buildMime(mail, encoded, allocate)
  return key ? await signMessage(plain, key, sign, allocate) : plain
}

const maxResponseLength = 1_000

/** An answer is foreign text. What the database refuses to store would cost us the outcome, and the recipient a second copy. */
function storable(result: SendResult): SendResult {
  const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed().slice(0, maxResponseLength)
  const answer = { ...result, response: clean(result.response) }
  if (answer.enhanced !== undefined) answer.enhanced = clean(answer.enhanced)
  if (answer.outcome !== 'accepted') return answer
  if (answer.providerId !== undefined) answer.providerId = clean(answer.providerId)
  if (answer.untaken) answer.untaken = answer.untaken.map(one => ({ ...one, response: clean(one.response) }))
  return answer
}

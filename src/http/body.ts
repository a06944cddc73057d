// How the body of a request is read, whoever reads it: within its limit, its share of the memory and its time, and as JSON only after its
// members are counted. The methods of the request itself are replaced, so that no reader can pass by.
import { clientBlock, clientNetwork } from '../lib/client-network'
import type { Context } from '../platform/context'
import { largeWorkOf } from '../platform/large-work'
import { perInstance } from '../platform/per-context'
import {
  type BodyIntake,
  type BodyRoom,
  type BodyShare,
  lowestSpeed,
  makeBodyIntake,
  receiveBody,
} from './body-intake'
import { bodyLimit, isTracking, payloadTooLarge, sendLimit } from './body-limit'
import { readForm } from './form-parts'
import { parseJson } from './json-text'
import { requestInfo } from './request-id'

const intakeOf = perInstance<BodyIntake>(makeBodyIntake)
const holding = new WeakMap<Request, BodyRoom>()

/** Throws 413 for a declared length beyond the limit; nothing is read here. */
export function boundBody(ctx: Context, request: Request, path: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { headers } = request
  const type = headers.get('content-type')
  const limit = bodyLimit(ctx.config, path, type)
  const check = (bytes: number): void => {
    if (bytes > limit) throw payloadTooLarge(limit)
  }
  const declared = declaredLength(headers)
  if (declared !== undefined) check(declared)
  let received: Promise<Uint8Array<ArrayBuffer>> | undefined
  const receive = async () => {
    const held = intakeOf(ctx).hold(sharesOf(ctx, request, path))
    holding.set(request, held)
    // With a Transfer-Encoding or a Content-Encoding the length means nothing.
    const isKnown = !headers.has('transfer-encoding') && !headers.has('content-encoding')
    return (await receiveBody(request, {
      ...{ held, check, speed: lowestSpeed, throttle: largeWorkOf(ctx).throttle },
      declared: isKnown ? declared : undefined,
    })) as Uint8Array<ArrayBuffer>
  }
  const bytes = () => (received ??= receive())
  Object.assign(request, {
    bytes,
    arrayBuffer: async () => exactBuffer(await bytes()),
    blob: async () => new Blob([await bytes()]),
    text: async () => new TextDecoder().decode(await bytes()),
    json: async () => await parseJson(await bytes(), largeWorkOf(ctx).throttle),
    formData: async () => await readForm(await bytes(), type ?? ''),
  })
}

/** Gives back the room that the body of an answered request took. */
export function releaseBody(request: Request): void {
  holding.get(request)?.release()
}

function declaredLength(headers: Headers): number | undefined {
  const declared = headers.get('content-length')
  return declared !== null && /^\d+$/.test(declared) ? Number(declared) : undefined
}

function exactBuffer({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
}

/**
 * Half of everything for one project, a quarter for all callers together who have shown no secret key and no session. Of that quarter, an
 * owner's block of addresses may have half and each client in it a quarter: neither a neighbor nor a stranger can use up what a project needs.
 */
function sharesOf(ctx: Context, request: Request, path: string): BodyShare[] {
  const all = 8 * sendLimit(ctx.config)
  const { projectId, userId, address } = requestInfo(request)
  const total = { name: 'all', bytes: all }
  if (projectId !== undefined && !isTracking(path))
    return [total, { name: `project ${projectId}`, bytes: all / 2 }]
  if (userId !== undefined) return [total, { name: `user ${userId}`, bytes: all / 4 }]
  return [
    total,
    { name: 'open', bytes: all / 4 },
    { name: `block ${clientBlock(address ?? 'unknown')}`, bytes: all / 8 },
    { name: `client ${clientNetwork(address ?? 'unknown')}`, bytes: all / 16 },
  ]
}

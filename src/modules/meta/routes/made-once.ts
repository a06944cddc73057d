// Pages that are the same for everybody.

/** Made and compressed once: anybody may ask for it, as often as they like. */
export function madeOnce(make: () => Promise<string>) {
  let plain: Promise<Uint8Array<ArrayBuffer>> | undefined
  let packed: Promise<Uint8Array<ArrayBuffer>> | undefined
  return async (request: Request, headers: Record<string, string>, status = 200): Promise<Response> => {
    plain ??= make().then(text => new TextEncoder().encode(text))
    if (!request.headers.get('accept-encoding')?.includes('gzip'))
      return new Response(await plain, { headers, status })
    packed ??= plain.then(content => Bun.gzipSync(content))
    return new Response(await packed, { headers: { ...headers, 'content-encoding': 'gzip' }, status })
  }
}

// Takes calls of webhooks as a process of its own: answers each with 204, keeps nothing, and counts, as `sink.ts` does for messages.

let calls = 0
let bytes = 0

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    bytes += (await request.arrayBuffer()).byteLength
    calls++
    return new Response(null, { status: 204 })
  },
})

console.log(server.port)
for await (const _ of console) console.log(calls, bytes)

export {}

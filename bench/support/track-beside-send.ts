// How long POST /v1/send takes alone, alongside calls of /v1/track that start nothing, and alongside calls that each start an execution,
// on the real program.
import { jsonPost, type LoadResult, runLoad } from './load'
import { type Program, startProgram } from './program'

const calls = 10_000
/** Calls a second: made as fast as they are answered, they would measure the processor that both share, and not the work behind them. */
const secondsOfCalls = 20
const sendConnections = 2
const trackConnections = 4

export async function measureBeside(): Promise<void> {
  const program = await startProgram()
  try {
    await makeWorkflow(program)
    // To warm up.
    await send(program, 3)
    const alone = await send(program, secondsOfCalls / 2)
    const beside = await together(program, 'unheard')
    const starting = await together(program, 'bench.start')
    show('/v1/send alone', alone)
    show(`/v1/send beside ${calls} calls of /v1/track that start nothing`, beside)
    show(`/v1/send beside ${calls} calls of /v1/track that start an execution each`, starting)
    console.log(
      `p99 ratio ${(starting.p99 / alone.p99).toFixed(2)} to alone, ${(starting.p99 / beside.p99).toFixed(2)} to tracking that starts nothing`,
    )
  } finally {
    await program.stop()
  }
}

function show(name: string, { perSecond, p50, p99, failures }: LoadResult): void {
  console.log(
    `${name}: ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${failures} failures`,
  )
}

let sent = 0
function send({ url, secretKey }: Program, seconds: number): Promise<LoadResult> {
  const { hostname, port, host } = new URL(url)
  return runLoad({
    host: hostname,
    port: Number(port),
    connections: sendConnections,
    seconds,
    request: () => {
      const body = {
        from: 'a@bench.example',
        to: `s-${sent++}@example.com`,
        subject: 'Code',
        body: '<p>1</p>',
      }
      return jsonPost('/v1/send', host, secretKey, body)
    },
  })
}

async function together(program: Program, event: string): Promise<LoadResult> {
  const tracking = track(program, event)
  const result = await send(program, secondsOfCalls)
  await tracking
  return result
}

/** Spread evenly over the time, however long the answers take. */
async function track({ url, publicKey }: Program, event: string): Promise<void> {
  const startedAt = performance.now()
  let next = 0
  const one = async (): Promise<void> => {
    while (next < calls) {
      const n = next++
      const wait = startedAt + (n / calls) * secondsOfCalls * 1000 - performance.now()
      if (wait > 0) await Bun.sleep(wait)
      const answer = await fetch(`${url}/v1/track`, {
        method: 'POST',
        headers: { authorization: `Bearer ${publicKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ email: `${event}-${n}@example.com`, event, data: { plan: 'pro', n } }),
      })
      if (!answer.ok) throw new Error(`/v1/track: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: trackConnections }, one))
  console.log(`  ${calls} calls for ${event} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
}

/** A workflow that decides, changes the contact and ends, for each call. */
async function makeWorkflow({ url, secretKey }: Program): Promise<void> {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ id: string; steps: { id: string }[] }> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return (await answer.json()) as { id: string; steps: { id: string }[] }
  }
  const { id } = await call('POST', '/workflows', { name: 'Bench', eventName: 'bench.start' })
  let last = (await call('GET', `/workflows/${id}`)).steps[0]!.id
  const steps: Array<[type: string, config: object, branch?: string]> = [
    ['CONDITION', { field: 'data.plan', operator: 'equals', value: 'pro' }],
    ['UPDATE_CONTACT', { updates: { seen: 'yes' } }, 'yes'],
    ['EXIT', { reason: 'over' }],
  ]
  for (const [type, config, branch] of steps) {
    const step = await call('POST', `/workflows/${id}/steps`, {
      type,
      name: type,
      config,
      autoConnect: false,
    })
    await call('POST', `/workflows/${id}/transitions`, {
      fromStepId: last,
      toStepId: step.id,
      ...(branch ? { branch } : {}),
    })
    last = step.id
  }
  await call('PATCH', `/workflows/${id}`, { enabled: true })
}

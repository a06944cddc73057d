// Requests per second of POST /v1/send, compared with the floor: a bare postgres.js loop that writes the same rows (contact, message,
// job) into the same database, one transaction per request, at the same concurrency. Aim: at least 0.6.
import postgres from 'postgres'
import { jsonPost, runLoad } from './support/load'
import { startProgram } from './support/program'

const connections = 32
const seconds = 6
const html = `<html><body><h1>Your order {{order}}</h1>${'<p>Thank you, {{name}}. It is on its way.</p>'.repeat(12)}</body></html>`

async function measureFloor(dataDir: string): Promise<number> {
  const sql = postgres({
    host: `${dataDir}/postgres/s`,
    user: 'waxwing',
    database: 'waxwing',
    max: 16,
    onnotice: () => {},
  })
  const projectId = crypto.randomUUID()
  let done = 0
  const endAt = performance.now() + seconds * 1000
  const rendered = html.replaceAll('{{name}}', 'Ada')
  const text = rendered.replace(/<[^>]+>/g, '')
  const worker = async (): Promise<void> => {
    while (performance.now() < endAt) {
      await writeRows(sql, projectId, `floor-${done}@example.com`, rendered, text)
      done++
    }
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: connections }, worker))
  const perSecond = done / ((performance.now() - startedAt) / 1000)
  await sql.end()
  return perSecond
}

async function writeRows(
  sql: postgres.Sql,
  projectId: string,
  email: string,
  body: string,
  text: string,
): Promise<void> {
  const now = new Date()
  const [contactId, emailId, jobId] = [Bun.randomUUIDv7(), Bun.randomUUIDv7(), Bun.randomUUIDv7()]
  const data = { name: 'Ada', order: 4711 }
  await sql.begin(async tx => {
    await tx`insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
             values (${contactId}, ${projectId}, ${email}, false, ${tx.json(data)}, ${now}, ${now})
             on conflict (project_id, email) do update set data = contacts.data || excluded.data returning id`
    await tx`insert into emails (id, project_id, contact_id, source_type, mail_class, to_email, from_email, subject, html, text,
                                 headers, message_id, status, created_at, updated_at)
             values (${emailId}, ${projectId}, ${contactId}, 'TRANSACTIONAL', 'transactional', ${email},
                     'a@bench.example', 'Your order', ${body}, ${text}, '{}', ${emailId}, 'PENDING', ${now}, ${now})`
    await tx`insert into jobs (id, kind, args, band, state, run_at, attempt, max_attempts, project_id, created_at)
             values (${jobId}, 'email.deliver', ${tx.json({ emailId, projectId })}, 'transactional', 'queued', ${new Date(now.getTime() + 86_400_000)},
                     0, 10, ${projectId}, ${now})`
  })
}

export async function run(): Promise<void> {
  const program = await startProgram({ ROLE: 'api' })
  try {
    const { hostname, port, host } = new URL(program.url)
    const body = (n: number) => ({
      to: `ada-${n}@example.com`,
      from: 'a@bench.example',
      subject: 'Your order {{order}}',
      body: html,
      data: { name: 'Ada', order: n },
    })
    const load = {
      host: hostname,
      port: Number(port),
      connections,
      request: (n: number) => jsonPost('/v1/send', host, program.secretKey, body(n)),
    }
    await runLoad({ ...load, seconds: 2, request: n => load.request(n + 10_000_000) })
    const floorBefore = await measureFloor(program.dataDir)
    const ours = await runLoad({ ...load, seconds })
    const floorAfter = await measureFloor(program.dataDir)
    const floor = (floorBefore + floorAfter) / 2
    console.log(`floor (bare postgres.js)  ${floorBefore.toFixed(0)} and ${floorAfter.toFixed(0)} requests/s`)
    console.log(
      `POST /v1/send             ${ours.perSecond.toFixed(0)} requests/s, p50 ${ours.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} ms, ${ours.failures} failures`,
    )
    console.log(`ratio                     ${(ours.perSecond / floor).toFixed(2)}`)
  } finally {
    await program.stop()
  }
}

if (import.meta.main) await run()

// The plain listener on a loopback address, as programs with default settings use it: each turns to TLS wherever it is offered, and checks
// the certificate. The examples are those of docs/submission.md.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { updateProject } from '../../src/modules/accounts/projects/queries'
import { counterpart, installed } from '../support/counterpart'
import { allPages, blocksOf } from '../support/page'
import { openSubmission, type Submission } from '../support/submission'
import { makeWorld, type World } from '../support/world'

const folder = mkdtempSync(join(tmpdir(), 'default-clients-'))
const phpMailer = '/usr/share/php/libphp-phpmailer/autoload.php'
let world: World
let server: Submission

beforeAll(async () => {
  world = await makeWorld({ dataDir: folder })
  await updateProject(world.ctx, world.project.id, { tracking: 'DISABLED' })
  server = await openSubmission(world)
})
beforeEach(() => world.mail.clear())
afterAll(async () => {
  await server.stop()
  await world.close()
  rmSync(folder, { recursive: true })
})

/** The block of the page that begins so, with the port of this test. */
function example(beginning: string): string {
  const found = allPages()
    .flatMap(blocksOf)
    .find(({ page, text }) => page === 'docs/submission.md' && text.startsWith(beginning))
  return found!.text.replace('2525', String(server.port))
}

/** Runs the example as a program of its own, and expects its message. */
async function sends(name: string, text: string, command: (file: string) => string[]): Promise<void> {
  const file = join(folder, name)
  writeFileSync(file, text)
  const child = Bun.spawn(command(file), {
    env: {
      ...process.env,
      NODE_PATH: join(import.meta.dir, '../../node_modules'),
      WAXWING_KEY: world.project.secretKey,
      GOCACHE: join(folder, 'go'),
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect([await child.exited, said.join('')]).toEqual([0, expect.any(String)])
  await world.drain()
  expect((await world.received()).map(({ subject, to }) => [subject, to?.[0]?.address])).toEqual([
    ['Your order', 'ada@example.com'],
  ])
}

test('Node: nodemailer', () =>
  sends('send.mjs', example("import nodemailer from 'nodemailer'"), file => [
    process.execPath,
    '--no-install',
    file,
  ]))

test.skipIf(!installed('python3'))('Python: smtplib', () =>
  sends('send.py', example('import os, smtplib'), file => ['python3', file]),
)

test.skipIf(!installed('php') || !counterpart('PHPMailer', existsSync(phpMailer)))('PHP: PHPMailer', () =>
  sends(
    'send.php',
    `<?php\nrequire '${phpMailer}';\n${example('$mail = new PHPMailer\\PHPMailer\\PHPMailer')}`,
    file => ['php', file],
  ),
)

test.skipIf(!installed('go'))('Go: net/smtp', () =>
  sends('send.go', example('package main'), file => ['go', 'run', file]),
)

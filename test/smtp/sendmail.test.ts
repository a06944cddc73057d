// The sendmail transport against a command that records what it got, and says whatever exit code it is told.
import { afterAll, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendmailTransport } from '../../src/platform/transports/sendmail'
import { counterpart } from '../support/counterpart'
import { mail, plainText } from '../support/smtp-mail'

const folder = mkdtempSync(join(tmpdir(), 'sendmail-'))
afterAll(() => rmSync(folder, { recursive: true }))

let count = 0

/** A command that writes down its arguments and its input, and then does what `end` says. */
function command(end = 'exit 0') {
  const path = join(folder, `sendmail-${++count}`)
  writeFileSync(path, `#!/bin/sh\nprintf '%s\\n' "$@" > ${path}.args\ncat > ${path}.mail\n${end}\n`)
  chmodSync(path, 0o755)
  const read = (ending: string): string => readFileSync(`${path}.${ending}`, 'utf8')
  return { path, arguments: () => read('args').trimEnd().split('\n'), mail: () => read('mail') }
}

test('the command gets the envelope and the very message, with the line ends of this machine', async () => {
  const sendmail = command()
  const transport = sendmailTransport({ path: sendmail.path })
  expect(await transport.send(mail())).toMatchObject({ outcome: 'accepted', delivered: true })
  expect(sendmail.arguments()).toEqual(['-i', '-f', 'a@x.test', 'b@y.test'])
  expect(sendmail.mail()).toBe(plainText.replaceAll('\r\n', '\n'))
})

test('a large message arrives whole', async () => {
  const sendmail = command()
  const raw = `Subject: large\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(60_000)}`
  expect((await sendmailTransport({ path: sendmail.path }).send(mail({ raw }))).outcome).toBe('accepted')
  expect(sendmail.mail().length).toBe(raw.replaceAll('\r\n', '\n').length)
})

describe('a command that fails', () => {
  for (const [end, expected] of [
    ['exit 75', { outcome: 'deferred' }],
    ['exit 78', { outcome: 'deferred' }],
    ['kill -9 $$', { outcome: 'deferred' }],
    ['exit 65', { outcome: 'refused', blame: 'other' }],
    ['exit 67', { outcome: 'refused', blame: 'address' }],
  ] as const)
    test(`${end}: ${JSON.stringify(expected)}`, async () => {
      const result = await sendmailTransport({ path: command(end).path }).send(mail())
      expect(result).toMatchObject(expected)
      // Without a stage it is no fault of this one message, and a campaign stops.
      expect(result.stage).toBeUndefined()
    })

  test('one that is not there defers, and doctor says which', async () => {
    const transport = sendmailTransport({ path: join(folder, 'none') })
    expect(await transport.send(mail())).toMatchObject({ outcome: 'deferred' })
    await expect(transport.verify()).rejects.toThrow(/no command .*none that may be run/)
  })

  test('one that does not end is not waited for', async () => {
    const transport = sendmailTransport({ path: command('sleep 2').path, timeLimitMs: 100 })
    expect(await transport.send(mail())).toMatchObject({ outcome: 'deferred' })
  })

  test('an address that would be an option is refused', async () => {
    const result = await sendmailTransport({ path: command().path }).send(mail({ to: '-oQ/tmp@y.test' }))
    expect(result).toMatchObject({ outcome: 'refused', blame: 'other' })
  })
})

test('doctor finds the command that is there', async () => {
  const { path } = command()
  expect(await sendmailTransport({ path }).verify()).toBe(`sendmail: ${path}`)
})

/** Postfix' own command checks what it gets before it queues it. Only where that is installed. */
test.skipIf(!counterpart('postfix', existsSync('/usr/sbin/postfix')))(
  'a real sendmail takes our arguments',
  async () => {
    const wrapper = join(folder, 'postfix')
    // -bv would mail a report; with a spool that is not there the command has read all it was given, and says that it cannot queue.
    writeFileSync(wrapper, `#!/bin/sh\nexec /usr/sbin/sendmail -C ${folder}/no-config "$@"\n`)
    chmodSync(wrapper, 0o755)
    const result = await sendmailTransport({ path: wrapper }).send(mail())
    expect(result).toMatchObject({
      outcome: 'deferred',
      response: expect.stringContaining('exited with code'),
    })
  },
)

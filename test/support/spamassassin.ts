// SpamAssassin on this machine: its own rules, without network and without what it might have learned.

import { installed } from './counterpart'

export const program = installed('spamassassin')

/** All in one run of the program, because reading its rules takes longer than judging. */
export async function pointsOf(raws: Uint8Array[]): Promise<Record<string, number>[]> {
  const mailbox = raws.map(raw => `From test Thu Mar  5 10:00:00 2026\n${mailboxLines(raw)}\n`).join('\n')
  const options = [
    '--local',
    '--nocreate-prefs',
    '--mbox',
    '--cf=bayes_path /nonexistent',
    '--cf=use_bayes 0',
  ]
  const child = Bun.spawn(
    [
      program!,
      ...options,
      '--cf=clear_headers',
      '--cf=add_header all Points _HEADER(Message-ID)_ _TESTSSCORES(,)_',
    ],
    {
      stdin: Buffer.from(mailbox),
      stdout: 'pipe',
      stderr: 'pipe',
      env: { PATH: process.env.PATH ?? '', HOME: '/nonexistent', LC_ALL: 'C' },
    },
  )
  const out = await new Response(child.stdout).text()
  const lists = out.replaceAll(/\n[\t ]+/g, '').matchAll(/^X-Spam-Points: <([^>]+)>\s*(\S*)$/gm)
  // The program reads a mailbox in an order of its own.
  const found = new Map(
    [...lists].map(([, id, list]) => [
      id!,
      Object.fromEntries(
        list!.split(',').map(each => [each.split('=')[0]!.trim(), Number(each.split('=')[1])]),
      ),
    ]),
  )
  const points = raws.map(raw => found.get(messageIdOf(raw)))
  if (points.every(each => each !== undefined)) return points
  throw new Error(`${found.size} verdicts: ${await new Response(child.stderr).text()}`)
}

function messageIdOf(raw: Uint8Array): string {
  return /^Message-ID:\s*<([^>]+)>/im.exec(Buffer.from(raw).toString('latin1'))![1]!
}

function mailboxLines(raw: Uint8Array): string {
  return Buffer.from(raw)
    .toString('latin1')
    .replaceAll('\r\n', '\n')
    .replaceAll(/^(>*From )/gm, '>$1')
}

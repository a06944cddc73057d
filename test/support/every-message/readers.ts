// Programs of other people that read messages and verify their signatures: what each says against one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import { simpleParser } from 'mailparser'
import PostalMime from 'postal-mime'
import { type Expected, shaOf } from './requests'

export interface Arrived {
  raw: Buffer
  expected: Expected
}

/** TXT records of keys by name. */
export type Keys = Readonly<Record<string, string>>

/** What a reader found, in one form. */
interface View {
  subject: string
  fromName: string
  toName: string
  files: Array<[name: string, sha: string]>
}

/** Sentences about what is wrong, with the message that it is about. */
export async function faultsOf(arrived: readonly Arrived[], keys: Keys): Promise<string[]> {
  const byPython = await readByPython(arrived, keys)
  const faults: string[] = []
  for (const [at, message] of arrived.entries()) {
    const found = [
      ...lineFaults(message),
      ...(await signatureFaults(message, keys)),
      ...viewFaults('mailparser', await byMailparser(message.raw), message.expected),
      ...viewFaults('postal-mime', await byPostalMime(message.raw), message.expected),
      ...pythonFaults(byPython?.[at], message.expected),
    ]
    faults.push(...found.map(fault => `${message.expected.what}: ${fault}`))
  }
  return faults
}

function lineFaults({ raw, expected }: Arrived): string[] {
  const text = raw.toString('latin1')
  const faults: string[] = []
  if (/\r(?!\n)|(?<!\r)\n/.test(text)) faults.push('a line end is half')
  if (text.split('\r\n').some(line => line.length > 998)) faults.push('a line is too long')
  const [head = ''] = text.split('\r\n\r\n', 1)
  if (!/^[\t\r\n -~]*$/.test(head)) faults.push('its header is not ASCII')
  const ownWords = expected.raw ? [] : head.split('\r\n').filter(line => /=\?utf-8\?/i.test(line))
  if (ownWords.some(line => line.length > 76)) faults.push('a line with an encoded word is too long')
  for (const name of ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version'])
    if (head.match(new RegExp(`^${name}:`, 'gim'))?.length !== 1) faults.push(`it has not one ${name}`)
  return [
    ...faults,
    ...(expected.raw && !expected.isTracked ? bodyFaults(text, expected.raw.toString('latin1')) : []),
  ]
}

/** Behind the header, and but for parts whose lines no server has to take, not one byte differs. */
function bodyFaults(text: string, submitted: string): string[] {
  const body = (message: string): string => message.slice(message.indexOf('\r\n\r\n'))
  const isLong = submitted.split('\r\n').some(line => line.length > 998)
  return isLong || body(text) === body(submitted) ? [] : ['its bytes are not those that were handed in']
}

async function signatureFaults({ raw }: Arrived, keys: Keys): Promise<string[]> {
  const { results } = await dkimVerify(raw, {
    resolver: async name => (keys[name] ? [[keys[name]]] : []),
  })
  const answers = results.map(({ status }) => status.result).join()
  return answers === 'pass' ? [] : [`mailauth says ${answers || 'nothing'}`]
}

async function byMailparser(raw: Buffer): Promise<View> {
  const mail = await simpleParser(raw, { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true })
  const to = Array.isArray(mail.to) ? mail.to[0] : mail.to
  return {
    subject: mail.subject ?? '',
    fromName: mail.from?.value[0]?.name ?? '',
    toName: to?.value[0]?.name ?? '',
    files: mail.attachments.map(({ filename, content }) => [filename || '', shaOf(content)]),
  }
}

async function byPostalMime(raw: Buffer): Promise<View> {
  const mail = await PostalMime.parse(raw, {
    forceRfc822Attachments: true,
    attachmentEncoding: 'arraybuffer',
  })
  return {
    subject: mail.subject ?? '',
    fromName: mail.from?.name ?? '',
    toName: mail.to?.[0]?.name ?? '',
    files: mail.attachments.map(({ filename, content }) => [
      filename ?? '',
      sameLines(filename, content as ArrayBuffer),
    ]),
  }
}

/** It writes the lines of mails and calendars anew, and one more behind a mail. */
function sameLines(name: string | null, content: ArrayBuffer): string {
  const bytes = Buffer.from(content)
  if (!/\.(?:eml|ics)$/.test(name ?? '')) return shaOf(bytes)
  const lines = bytes.toString('latin1').replace(/\r?\n/g, '\r\n')
  return shaOf(Buffer.from(name?.endsWith('.eml') ? lines.replace(/\r\n$/, '') : lines, 'latin1'))
}

function viewFaults(reader: string, view: View, expected: Expected): string[] {
  const faults = (['subject', 'fromName', 'toName'] as const).flatMap(member => {
    const wanted = expected[member]
    return wanted === undefined || view[member] === wanted
      ? []
      : [
          `${reader} reads the ${member} ${JSON.stringify(view[member])} in place of ${JSON.stringify(wanted)}`,
        ]
  })
  const found = new Set(view.files.map(file => file.join()))
  // Of the three, two decode what looks like an encoded word even in the form of RFC 2231.
  const isSure = (name: string): boolean => reader === 'Python' || !name.includes('=?')
  const missing = (expected.files ?? []).filter(
    ({ name, sha }) => isSure(name) && !found.has([name, sha].join()),
  )
  return [...faults, ...missing.map(({ name }) => `${reader} misses the file ${JSON.stringify(name)}`)]
}

interface PythonAnswer {
  defects: string[]
  subject: string
  from: Array<[string, string]>
  to: Array<[string, string]>
  files: Array<[string | null, string]>
  html: string
  text: string
  same?: boolean
  /** Missing without dkimpy. */
  signed?: boolean
}

function pythonFaults(answer: PythonAnswer | undefined, expected: Expected): string[] {
  if (!answer) return []
  const { defects, subject, from, to, files, same, signed } = answer
  const faults = defects.map(defect => `Python finds ${defect}`)
  if (signed === false) faults.push('dkimpy does not verify its signature')
  if (same === false && !expected.isTracked) faults.push('Python finds other parts than were handed in')
  if (defects.length > 0) return faults
  const names = { fromName: from[0]?.[0] ?? '', toName: to[0]?.[0] ?? '' }
  const view = { subject, ...names, files: files.map(([name, sha]) => [name ?? '', sha] as [string, string]) }
  const { bodies } = expected
  if (bodies && lines(bodies.html) !== lines(answer.html)) faults.push('Python reads another HTML')
  if (bodies && lines(bodies.text) !== lines(answer.text)) faults.push('Python reads another text')
  return [...faults, ...viewFaults('Python', view, expected)]
}

/** With line ends of one kind; the last one ends the body. */
const lines = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/\n$/, '')

/** The one that has dkimpy, where there are several. */
const pythons = ['/usr/bin/python3', Bun.which('python3')].filter(path => path !== null)
const succeeds = (python: string, code: string): boolean =>
  Bun.spawnSync([python, '-c', code], { stderr: 'ignore' }).exitCode === 0
const python =
  pythons.find(path => succeeds(path, 'import email, dkim')) ??
  pythons.find(path => succeeds(path, 'import email'))

/** Why messages can't be read by Python and verified by dkimpy; undefined where they can. */
export const pythonMissing: string | undefined =
  python && succeeds(python, 'import dkim')
    ? undefined
    : 'python3 with dkimpy (python3-dkim) is not installed'

async function readByPython(arrived: readonly Arrived[], keys: Keys): Promise<PythonAnswer[] | undefined> {
  if (!python) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'messages-'))
  try {
    writeFileSync(join(folder, 'keys.json'), JSON.stringify(keys))
    for (const [at, { raw, expected }] of arrived.entries()) {
      const name = join(folder, String(at).padStart(6, '0'))
      writeFileSync(`${name}.eml`, raw)
      if (expected.raw) writeFileSync(`${name}.in`, expected.raw)
    }
    const child = Bun.spawn([python, join(import.meta.dir, 'read.py'), folder], {
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    if ((await child.exited) !== 0) throw new Error(err)
    return out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as PythonAnswer)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

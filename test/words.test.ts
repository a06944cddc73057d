// The words of this project: the names in the code are what the field says, without metaphors of our own, and the English of the dashboard
// uses one word for one thing. Both lists hold words that were used once and confused readers.
import { expect, test } from 'bun:test'
import { parseSync } from 'oxc-parser'
import * as en from '../src/dashboard/texts/en'
import * as samples from '../src/dashboard/texts/en/samples'
import { everything, texts } from './support/sources'

const names: Array<[name: RegExp, instead: string]> = [
  [/^ways?$|^way[A-Z]|^Ways?([A-Z]|$)|[a-z]Ways?([A-Z]|$)/, 'transport, branch, method'],
  [/^desk$|Desk/, 'what it keeps or books'],
  [/^company$|Company/, 'what is done together'],
  [/^courtes|Courtes/, 'backoff, delay'],
  [/^apart$|Apart/, 'what makes them different'],
  [/^look$/, 'variant of a button; a verb for a function'],
  [/^strikes?$|Strike/, 'overrun'],
  [/^doomed|Doomed/, 'selected, deleted'],
  [/^told|Told/, 'notified, reported, details'],
  [/^news$|News$/, 'what is new about it'],
  [/^rest$/, 'remaining, idle, pause; `...rest` is fine'],
  [/^sweep|Sweep/, 'what is deleted'],
  [/^putOff|PutOff/, 'deferred'],
  [/^forget|Forget/, 'delete, clear, prune'],
]

/** Names that clients, stored rows or metrics know. */
const kept: Array<[path: RegExp, name: string]> = [
  [/\/forms\/|texts\/..\/forms\.ts$/, 'look'],
  [/texts\/..\/instance\.ts$/, 'noNews'],
]

interface Node {
  type: string
  [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** The names that a file declares, those of members included; what it takes from elsewhere is declared there. */
function declaredIn(path: string): string[] {
  const found: string[] = []
  const note = (node: unknown): void => {
    if (isNode(node) && /^(Private)?Identifier$/.test(node.type)) found.push(String(node['name']))
  }
  const bind = (node: unknown): void => {
    if (!isNode(node)) return
    if (node.type === 'Identifier') note(node)
    else if (node.type === 'AssignmentPattern') bind(node['left'])
    else if (node.type === 'ArrayPattern') (node['elements'] as unknown[]).forEach(bind)
    else if (node.type === 'ObjectPattern') (node['properties'] as Node[]).forEach(bindMember)
    else if (node.type === 'TSParameterProperty') bind(node['parameter'])
  }
  const bindMember = (member: Node): void => {
    if (member.type === 'Property' && member['shorthand'] !== true) bind(member['value'])
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value)) return
    if (value.type === 'VariableDeclarator') bind(value['id'])
    if (/^(Function|Class|ArrowFunction|TSTypeAlias|TSInterface)/.test(value.type)) note(value['id'])
    if (Array.isArray(value['params'])) value['params'].forEach(bind)
    if (/^(TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/.test(value.type))
      note(value['key'])
    if (value.type === 'Property' && value['shorthand'] !== true) note(value['key'])
    Object.values(value).forEach(visit)
  }
  visit(parseSync(path, texts.get(path)!).program)
  return [...new Set(found)]
}

// Every file is parsed, which takes its time on a busy machine.
test('names are what the field says', () => {
  const found = everything.flatMap(path =>
    declaredIn(path).flatMap(name => {
      if (kept.some(([where, which]) => which === name && where.test(path))) return []
      return names
        .filter(([banned]) => banned.test(name))
        .map(([, instead]) => `${path}: ${name} (${instead})`)
    }),
  )
  expect(found).toEqual([])
})

/** What people read says it with a plainer word, or with the one that all pages use. */
const phrases =
  /\b(whoever|somebody|nobody|anybody|everybody|for good|so many|opted? out|opt-out|(tak(es?|ing)) a break|go(es|ing)? on|by hand|given up|gives? up|under way|letter of|mails?|figures|ledger|programs?|meanwhile|at the moment|of (ours|your own)|fits|cannot|in the meantime|what bec(ame|omes)|switch(ed)? (on|off)|has left|take back|throw away|make a|was made|try \d|readers?|second factor|e-mails?)\b/i

/** "Mail servers" are called so, and what a relay signs is mail of any kind. */
const plain = /mail servers|e-mail platform/i

type Say = (...values: unknown[]) => unknown

/** Said of numbers, or of lists where it takes some. */
function spokenBy(say: Say): unknown {
  const values = Array.from({ length: say.length }, (_, index) => 31 + index)
  try {
    return say(...values)
  } catch {
    return say(...values.map(value => [value]))
  }
}

function saidIn(part: unknown, path = ''): Array<[path: string, text: string]> {
  if (typeof part === 'string') return [[path, part]]
  if (typeof part === 'function') return saidIn(spokenBy(part as Say), path)
  return Object.entries(part as object).flatMap(([name, each]) =>
    saidIn(each, path ? `${path}.${name}` : name),
  )
}

test('the dashboard says it with one plain word', () => {
  const found = [...saidIn(en), ...saidIn(samples)].filter(
    ([, text]) => phrases.test(text) && !plain.test(text),
  )
  expect(found.map(([path, text]) => `${path}: ${text} [${phrases.exec(text)![0]}]`)).toEqual([])
})

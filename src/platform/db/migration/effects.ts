// What a statement does to others while it runs: which lock it takes on which table, whether it goes through every row meanwhile, and
// what is gone afterwards. Determined from its text; a test compares the table below with what PostgreSQL really locks and rewrites.
import { wordsOf } from './statements'

/** From the weakest to the strongest. */
export const lockLevels = [
  'none',
  'ROW EXCLUSIVE',
  'SHARE UPDATE EXCLUSIVE',
  'SHARE',
  'SHARE ROW EXCLUSIVE',
  'ACCESS EXCLUSIVE',
] as const
export type LockLevel = (typeof lockLevels)[number]

/** What takes time under the lock: nothing, reading all rows, rewriting the table, building an index, changing rows. */
export type Work = 'none' | 'scan' | 'rewrite' | 'index' | 'rows'

export interface StatementEffect {
  /** In the order in which they are locked; the first is the one that the statement is about. */
  tables: { name: string; lock: LockLevel }[]
  work: Work
  /** Names the index instead of its table, which the database knows. */
  ofIndex?: string
  /** A table that the statement makes: nobody waits for it. */
  makes?: string
  /** What no later statement can bring back. */
  lost?: string
  /** Whether the statement is not recognised here. */
  isUnknown?: boolean
}

type Rule = readonly [pattern: RegExp, effect: (found: string[]) => Partial<StatementEffect>]

const on = (name: string, lock: LockLevel) => [{ name, lock }]

const statementRules: readonly Rule[] = [
  [/^create table (?:if not exists )?([^ (]+)/, ([name]) => ({ makes: name })],
  [
    /^create (?:unique )?index concurrently (?:if not exists )?\S+ on (?:only )?([^ (]+)/,
    ([name]) => ({ tables: on(name!, 'SHARE UPDATE EXCLUSIVE'), work: 'index' }),
  ],
  [
    /^create (?:unique )?index (?:if not exists )?\S+ on (?:only )?([^ (]+)/,
    ([name]) => ({ tables: on(name!, 'SHARE'), work: 'index' }),
  ],
  [
    /^drop index concurrently (?:if exists )?([^ ,]+)/,
    ([name]) => ({ tables: on('', 'SHARE UPDATE EXCLUSIVE'), ofIndex: name }),
  ],
  [
    /^drop index (?:if exists )?([^ ,]+)/,
    ([name]) => ({ tables: on('', 'ACCESS EXCLUSIVE'), ofIndex: name }),
  ],
  [
    /^drop table (?:if exists )?([^ ,]+)/,
    ([name]) => ({ tables: on(name!, 'ACCESS EXCLUSIVE'), lost: `the table ${name} with all its rows` }),
  ],
  [
    /^truncate (?:table )?(?:only )?([^ ,]+)/,
    ([name]) => ({ tables: on(name!, 'ACCESS EXCLUSIVE'), lost: `all rows of ${name}` }),
  ],
  [
    /^update (?:only )?([^ ]+)/,
    ([name]) => ({
      tables: on(name!, 'ROW EXCLUSIVE'),
      work: 'rows',
      lost: `what the changed rows of ${name} held`,
    }),
  ],
  [
    /^delete from (?:only )?([^ ]+)/,
    ([name]) => ({ tables: on(name!, 'ROW EXCLUSIVE'), work: 'rows', lost: `the deleted rows of ${name}` }),
  ],
  [/^insert into ([^ (]+)/, ([name]) => ({ tables: on(name!, 'ROW EXCLUSIVE'), work: 'rows' })],
  [
    /^create (?:or replace )?trigger \S+ .* on ([^ ]+) /,
    ([name]) => ({ tables: on(name!, 'SHARE ROW EXCLUSIVE') }),
  ],
  [/^drop trigger (?:if exists )?\S+ on ([^ ]+)/, ([name]) => ({ tables: on(name!, 'ACCESS EXCLUSIVE') })],
  [/^(?:create (?:or replace )?(?:extension|function|procedure|sequence|type)|comment on) /, () => ({})],
]

const actionRules: readonly Rule[] = [
  [/^validate constraint /, () => ({ tables: on('', 'SHARE UPDATE EXCLUSIVE'), work: 'scan' })],
  [/^(?:set|reset) \(/, () => ({ tables: on('', 'SHARE UPDATE EXCLUSIVE') })],
  [/^alter (?:column )?\S+ set statistics /, () => ({ tables: on('', 'SHARE UPDATE EXCLUSIVE') })],
  [
    /^add (?:constraint \S+ )?foreign key .* references ([^ (]+)(?:.* (not valid)$)?/,
    ([other, later]) => ({
      tables: [...on('', 'SHARE ROW EXCLUSIVE'), ...on(other!, 'SHARE ROW EXCLUSIVE')],
      work: later ? 'none' : 'scan',
    }),
  ],
  [/^add (?:constraint \S+ )?check .* not valid$/, () => ({})],
  [/^add (?:constraint \S+ )?check /, () => ({ work: 'scan' })],
  [/^add (?:constraint \S+ )?(?:unique|primary key) using index /, () => ({})],
  [/^add (?:constraint \S+ )?(?:unique|primary key|exclude)/, () => ({ work: 'index' })],
  [
    /^add (?:column )?(?:if not exists )?\S+ .* references ([^ (]+)/,
    ([other]) => ({ tables: [...on('', 'ACCESS EXCLUSIVE'), ...on(other!, 'SHARE ROW EXCLUSIVE')] }),
  ],
  [/^add (?:column )?(?:if not exists )?\S+ .* (?:unique|primary key)/, () => ({ work: 'index' })],
  [/^add (?:column )?(?:if not exists )?\S+ .* check ?\(/, () => ({ work: 'scan' })],
  [/^add (?:column )?\S+ /, () => ({})],
  [/^drop constraint /, () => ({})],
  [
    /^drop (?:column )?(?:if exists )?(\S+)/,
    ([column]) => ({ lost: `the column ${column} with what it holds` }),
  ],
  [
    /^alter (?:column )?(\S+) (?:set data )?type /,
    ([column]) => ({ work: 'rewrite', lost: `the old form of the column ${column}` }),
  ],
  [/^alter (?:column )?\S+ set not null/, () => ({ work: 'scan' })],
  [/^alter (?:column )?\S+ (?:drop not null|set default|drop default|set storage|drop identity)/, () => ({})],
  [/^rename /, () => ({ lost: 'the old name, by which older programs ask' })],
]

const rewrite: Partial<StatementEffect> = { work: 'rewrite' }
/** A column with one of these gets a value of its own in each row. */
const volatile = [
  ' serial',
  ' bigserial',
  ' generated ',
  'random',
  'clock_timestamp(',
  'timeofday(',
  'nextval(',
  'uuid_v7(',
  'uuidv7(',
]

const isNewForEachRow = (action: string): boolean =>
  action.startsWith('add ') &&
  !action.startsWith('add constraint ') &&
  volatile.some(word => action.includes(word))

/** Names are in lower case and without quotes. */
export function effectOf(statement: string): StatementEffect {
  const words = wordsOf(statement).replaceAll('"', '').toLowerCase()
  const altered = /^alter table (?:if exists )?(?:only )?(\S+) (.*)$/.exec(words)
  if (altered) return effectOfActions(altered[1]!, altered[2]!)
  const { tables = [], work = 'none', ...more } = apply(statementRules, words) ?? { isUnknown: true }
  return { tables, work, ...more }
}

/** Of several actions at once: the strongest lock of any, and the longest work. */
function effectOfActions(table: string, text: string): StatementEffect {
  const all = actionsOf(text).map((action): StatementEffect => {
    const found = isNewForEachRow(action) ? rewrite : (apply(actionRules, action) ?? { isUnknown: true })
    const [own, ...others] = found.tables ?? on('', 'ACCESS EXCLUSIVE')
    const lost = found.lost && `${found.lost} (${table})`
    return {
      ...found,
      lost,
      tables: [{ name: table, lock: own!.lock }, ...others],
      work: found.work ?? 'none',
    }
  })
  return all.reduce((one, other) => ({
    tables: [hardest(one.tables[0]!, other.tables[0]!), ...one.tables.slice(1), ...other.tables.slice(1)],
    work: one.work === 'none' || other.work === 'rewrite' ? other.work : one.work,
    lost: [one.lost, other.lost].filter(Boolean).join('; ') || undefined,
    isUnknown: one.isUnknown || other.isUnknown,
  }))
}

function hardest(
  one: StatementEffect['tables'][number],
  other: StatementEffect['tables'][number],
): StatementEffect['tables'][number] {
  return lockLevels.indexOf(one.lock) >= lockLevels.indexOf(other.lock) ? one : other
}

function apply(rules: readonly Rule[], words: string): Partial<StatementEffect> | undefined {
  for (const [pattern, effect] of rules) {
    const found = pattern.exec(words)
    if (found) return effect(found.slice(1))
  }
  return undefined
}

/** Splits at commas outside brackets and quotes. */
function actionsOf(text: string): string[] {
  const actions = ['']
  let depth = 0
  let isQuoted = false
  for (const letter of text) {
    if (letter === "'") isQuoted = !isQuoted
    else if (!isQuoted && letter === '(') depth++
    else if (!isQuoted && letter === ')') depth--
    if (letter === ',' && depth === 0 && !isQuoted) actions.push('')
    else actions[actions.length - 1] += letter
  }
  return actions.map(action => action.trim())
}

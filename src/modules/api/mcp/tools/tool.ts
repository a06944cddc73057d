// What a tool is: a name, what it takes, which routes it calls, and what it does with them. A tool has no way into the program but the
// routes, with the key of its caller, so that rights, limits, checks and the audit log are those of the API.
import { type Static, type TObject, Type } from '@sinclair/typebox'

/** A thing as the API answers it; its members are checked where they are made. */
export type Item = Record<string, unknown>

/** Calls the API with the caller's key; throws an AppError for whatever is refused. */
export interface Ask {
  /** The time of the instance. */
  now(): Date
  get<T = Item>(path: string, query?: Record<string, unknown>): Promise<T>
  send<T = Item>(method: 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<T>
}

/** What is asked for before something is done that can't be taken back. */
export interface Proposal {
  /** Goes on from "This would". */
  summary: string
  /** If one of them has changed when the confirmation comes, it is void. */
  facts: { version?: number }
}

interface ToolOf<T extends TObject> {
  name: string
  title: string
  description: string
  input: T
  /** As they are registered; a key that may not call all of them is not shown the tool. */
  routes: readonly string[]
  /** Only of what needs a confirmation. */
  propose?: (ask: Ask, input: Static<T>) => Promise<Proposal>
  run: (ask: Ask, input: Static<T>, facts: Proposal['facts']) => Promise<unknown>
}

export type McpTool = ToolOf<TObject>

/** Ties the types of a tool's functions to its input. */
export function tool<T extends TObject>(given: ToolOf<T>): McpTool {
  return given as unknown as McpTool
}

/** Arguments that nobody knows are refused: an assistant that guesses should be told. */
export function inputOf<T extends Parameters<typeof Type.Object>[0]>(members: T) {
  return Type.Object(members, { additionalProperties: false })
}

export const itemId = (of: string) =>
  Type.String({
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    maxLength: 36,
    examples: ['01a2183f-6c5e-7d2a-9b41-3f8e5c7a1d02'],
    description: `Id of the ${of}`,
  })

const smallLimit = Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 20' }))

export const cursorPages = {
  limit: smallLimit,
  cursor: Type.Optional(Type.String({ maxLength: 2_000, description: '`cursor` of the page before' })),
}

export const numberedPages = {
  limit: smallLimit,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'From 1' })),
}

/** One of the words, as text: models know `enum` better than a choice of constants. */
export function wordOf(words: readonly string[], description: string) {
  return Type.String({ enum: [...words], pattern: `^(${words.join('|')})$`, maxLength: 40, description })
}

/** A day, or a moment with its zone: a text that is neither would narrow nothing, or mean another hour. */
export function dateText(description: string) {
  return Type.String({
    pattern:
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2}))?$',
    maxLength: 40,
    examples: ['2026-01-31', '2026-01-31T09:00:00Z'],
    description: `${description}. ISO 8601, such as 2026-01-31 or 2026-01-31T09:00:00+01:00`,
  })
}

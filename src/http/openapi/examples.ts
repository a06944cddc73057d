// Examples of bodies and answers in the OpenAPI document. They were recorded from what tests really saw (scripts/examples.ts), and a test
// checks them against the schemas.
import type { Answer, OpenApiDocument, Operation } from './types'

/** By operation (`POST /contacts`) and status; those of `*` are the same for all operations. */
export type Examples = Record<string, Record<string, { request?: unknown; response?: unknown }>>

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const texts = ['text/csv', 'text/plain', 'application/atom+xml']

/** The document with its examples; what was not recorded has none. */
export function addExamples(document: OpenApiDocument, examples: Examples): OpenApiDocument {
  const shared = document.components['responses'] as Record<string, Answer>
  for (const [status, { response }] of Object.entries(examples['*'] ?? {}))
    show(shared[`Error${status}`], response)
  for (const [path, operations] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(operations))
      addTo(operation, examples[`${method.toUpperCase()} ${path}`] ?? {}, shared)
  return document
}

function addTo(operation: Operation, examples: Examples[string], shared: Record<string, Answer>): void {
  const accepted = Object.entries(examples).find(
    ([status, { request }]) => status < '400' && request !== undefined,
  )
  if (accepted) show(operation.requestBody, accepted[1].request)
  for (const [status, { response }] of Object.entries(examples)) {
    const answer = operation.responses[status]
    if (!answer || response === undefined) continue
    // An answer that all operations share becomes this operation's own, so that it can have its own example.
    const common = answer.$ref ? shared[answer.$ref.split('/').at(-1)!] : undefined
    if (common) operation.responses[status] = structuredClone(common)
    show(operation.responses[status], response)
  }
}

/** A text is that of a file or a sentence; anything else is JSON, or a form of the same members. */
function show(part: Pick<Answer, 'content'> | undefined, example: unknown): void {
  const media = typeof example === 'string' ? texts : [json, form]
  const type = media.find(each => part?.content?.[each])
  if (type && example !== undefined) part!.content![type]!.example = example
}

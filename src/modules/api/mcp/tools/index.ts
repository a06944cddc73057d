// All tools, and which of them a key is shown.
import { readingTools } from './reading'
import { sendingTools } from './sending'
import type { McpTool } from './tool'
import { writingTools } from './writing'

export type { Ask, McpTool, Proposal } from './tool'

export const mcpTools: ReadonlyMap<string, McpTool> = new Map(
  [...readingTools, ...writingTools, ...sendingTools].map(each => [each.name, each]),
)

/** Whether the key of a caller may do all of it. */
export function mayUse({ routes }: McpTool, mayCall: (route: string) => boolean): boolean {
  return routes.every(mayCall)
}

const confirmation = {
  confirmation: {
    type: 'string',
    maxLength: 200,
    description: 'Only in the second call: what the first one answered, once a person has agreed',
  },
}

/** As the protocol describes a tool. */
export function describeTool({ name, title, description, input, propose, routes }: McpTool) {
  const isReading = routes.every(route => route.startsWith('GET '))
  const properties = propose ? { ...input.properties, ...confirmation } : input.properties
  const inputSchema: { type: 'object'; [keyword: string]: unknown } = { ...input, type: 'object', properties }
  return {
    name,
    title,
    description,
    inputSchema,
    annotations: {
      readOnlyHint: isReading,
      destructiveHint: propose !== undefined,
      idempotentHint: isReading,
      openWorldHint: false,
    },
  }
}

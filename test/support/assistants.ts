// An assistant that works with the project through /mcp, by the client of the official SDK, against the application in this process.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { AnyElysia } from 'elysia'

export interface Told {
  isError: boolean
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the wire holds, whatever its types say.
  structured: any
}

export interface Assistant {
  client: Client
  tools(): Promise<string[]>
  call(name: string, given?: Record<string, unknown>): Promise<Told>
  /** The question that a tool asks first, and its answer once that is confirmed. */
  confirmed(name: string, given: Record<string, unknown>): Promise<Told>
}

export async function assistantOf(app: AnyElysia, key: string): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
    fetch: async (url, init) => await app.handle(new Request(url, init as RequestInit)),
  })
  await client.connect(transport)
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Told> => {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: given })
    const [{ text }] = content as [{ text: string }]
    return { isError: isError === true, text, structured: structuredContent }
  }
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call,
    async confirmed(name, given) {
      const { structured } = await call(name, given)
      return await call(name, { ...given, confirmation: structured.confirmation })
    },
  }
}

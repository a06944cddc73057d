// What others may use of the MCP server; nothing else is imported from outside.
export { mcpRoutes } from './routes'

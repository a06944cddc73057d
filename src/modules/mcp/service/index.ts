// Use cases of the MCP server.
export { askAs } from './ask'
export { answerMessage } from './protocol'

// Use cases of the MCP server.
export { askAs, type Dispatch } from './ask'
export { answerMessage } from './protocol'

// What others may use of templates; nothing else is imported from outside.
export {
  answeredEditor,
  answeredVersion,
  editorAfter,
  editorFaults,
  expectedVersion,
  givenEditor,
  refuseOldVersion,
} from './editor'
export { messageFaults } from './faults'
export { templateForgotten, templateUses } from './hooks'
export { templateJobs } from './jobs'
export { copyName, warning } from './model'
export type { TemplateRow } from './queries'
export { templatesRoutes } from './routes'
export type { TemplateType } from './schema'
export {
  brokenSyntax,
  type Preview,
  type PreviewProject,
  previewMessage,
  refuseBrokenSyntax,
  rememberUnrenderable,
  renderOnRequest,
  renderPatiently,
  requestRenderings,
  requireTemplate,
  syntaxFaults,
  Unrenderable,
} from './service'
export { buildScope } from './variables'

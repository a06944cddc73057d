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
export { contentDue, formUses, layoutUses, templateForgotten, templateUses } from './hooks'
export { templateJobs } from './jobs'
export { maxLayoutLength } from './layout'
export { answeredLayoutId, layoutId } from './layout-model'
export { copyName, warning } from './model'
export { holdLayout, type Sendable } from './queries'
export { templatesRoutes } from './routes'
export type { TemplateType } from './schema'
export {
  brokenSyntax,
  createLayout,
  createTemplate,
  findLayoutBody,
  firstFault,
  holdNamedLayout,
  inLayout,
  type Preview,
  type PreviewProject,
  previewMessage,
  refuseBrokenSyntax,
  refuseNoRoom,
  rememberUnrenderable,
  renderOnRequest,
  renderPatiently,
  requestRenderings,
  requireSendable,
  sendableTemplates,
  syntaxFaults,
  Unrenderable,
} from './service'
export { buildScope } from './variables'

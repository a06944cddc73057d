// Use cases of templates.

export {
  changeLayout,
  createLayout,
  findLayoutBody,
  holdNamedLayout,
  inLayout,
  layoutUsage,
  listLayouts,
  refuseNoRoom,
  removeLayout,
  requireLayout,
} from './layouts'
export {
  type Preview,
  type PreviewProject,
  previewLayout,
  previewMessage,
  previewTemplate,
} from './preview'
export {
  listTemplates,
  requireSendable,
  requireTemplate,
  sendableTemplates,
  templateUsage,
} from './read'
export { rememberUnrenderable, renderOnRequest, renderPatiently, Unrenderable } from './render'
export { requestRenderings } from './renderings'
export { brokenSyntax, firstFault, refuseBrokenSyntax, syntaxFaults } from './syntax'
export { changeTemplate, createTemplate, detachTemplate, duplicateTemplate, removeTemplate } from './write'

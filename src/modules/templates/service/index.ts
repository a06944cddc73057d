// Use cases of templates.

export {
  type Preview,
  type PreviewProject,
  previewMessage,
  previewTemplate,
} from './preview'
export { listTemplates, requireTemplate, templateUsage } from './read'
export { rememberUnrenderable, renderOnRequest, renderPatiently, Unrenderable } from './render'
export { requestRenderings } from './renderings'
export { brokenSyntax, refuseBrokenSyntax, syntaxFaults } from './syntax'
export { changeTemplate, createTemplate, detachTemplate, duplicateTemplate, removeTemplate } from './write'

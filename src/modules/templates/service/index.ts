// Use cases of templates.
export { rememberUnrenderable, renderOnRequest, renderPatiently, Unrenderable } from './elsewhere'
export {
  type Preview,
  type PreviewProject,
  previewMessage,
  previewTemplate,
} from './preview'
export { listTemplates, requireTemplate, templateUsage } from './read'
export { brokenSyntax, refuseBrokenSyntax, syntaxFaults } from './syntax'
export { changeTemplate, createTemplate, duplicateTemplate, forgetTemplate, removeTemplate } from './write'

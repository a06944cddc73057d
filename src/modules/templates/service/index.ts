// Use cases of templates.
export {
  type Preview,
  type PreviewProject,
  previewMessage,
  previewTemplate,
} from './preview'
export { listTemplates, requireTemplate, templateUsage } from './read'
export { changeTemplate, createTemplate, duplicateTemplate, forgetTemplate, removeTemplate } from './write'

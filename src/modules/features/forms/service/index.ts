// The use cases of forms.
export { type Asked, askByForm, openForm } from './ask'
export { confirmRequest, findRequest } from './confirm'
export {
  changeOneForm,
  contentDueInForms,
  createForm,
  fieldsInForms,
  formsUsingTemplate,
  getForm,
  listForms,
  removeForm,
  topicInForms,
} from './definitions'
export { mailRequest } from './mail'
export { deleteOldRequests, eraseRequestsOf, pruneRequests, purgeRequests } from './retention'

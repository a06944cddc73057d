// What others may use of forms; nothing else is imported from outside.
export { formJobs, formSchedules } from './jobs'
export { contactsWithRequests, moveRequestsOfContact } from './queries'
export { formRoutes } from './routes'
export {
  contentDueInForms,
  deleteOldRequests,
  eraseRequestsOf,
  fieldsInForms,
  formsUsingTemplate,
  topicInForms,
} from './service'

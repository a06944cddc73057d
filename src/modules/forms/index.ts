// What others may use of forms; nothing else is imported from outside.
export { formJobs, formSchedules } from './jobs'
export { formRoutes } from './routes'
export { forgetAddress, forgetRequests, formsUsingTemplate, topicInForms } from './service'

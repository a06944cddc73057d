// What others may use of events; nothing else is imported from outside.

export { eventsHeard, eventUses } from './hooks'
export { eventJobs, eventSchedules } from './jobs'
export { eventKinds } from './kinds'
export { readDays, type SpanRequest } from './model'
export {
  awaitedFault,
  changeReasons,
  maxNameLength,
  nameFault,
  segmentEvent,
  startedBy,
  subscriptionEvent,
} from './names'
export { contactsWithEvents, countEventsBefore, moveEventsOfContact, selectDeletedNames } from './queries'
export { eventsRoutes } from './routes'
export { events } from './schema'
export {
  cutOfEvents,
  deleteEventsBefore,
  deleteEventsOfContacts,
  dropEventMonths,
  type EventRow,
  findEvents,
  type HeardEvent,
  listEventFields,
  listEvents,
  type NewProjectEvent,
  recordEvents,
  recordProjectEvents,
  requireAwaitable,
  setListener,
} from './service'

// What others may use of topics; nothing else is imported from outside.
export { topicUses } from './hooks'
export { decisionKey, type ImportedDecision } from './imported'
export { type DecidedTopic, mergeDecisions, selectTopicsOf, writeDecisions } from './queries'
export { topicsRoutes } from './routes'
export { contactTopics } from './schema'
export {
  createTopic,
  decideTopics,
  eraseDecisions,
  findTopicIds,
  holdTopic,
  holdTopics,
  importDecisions,
  isOfferedTo,
  listDecisions,
  listTopicColumns,
  listTopics,
  mostTopics,
  requireOffered,
  restoreDecisions,
  takeImported,
  updateTopic,
} from './service'

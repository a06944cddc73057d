// What others may use of topics; nothing else is imported from outside.
export { topicUses } from './hooks'
export { type DecidedTopic, inTopicSql, selectTopicsOf } from './queries'
export { topicsRoutes } from './routes'
export { decideTopics, forgetDecisions, getTopic, holdTopic, requireOffered } from './service'

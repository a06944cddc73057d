// Chinese (mainland).
import type { Locale } from '../locale'

export const zhCN: Locale = {
  code: 'zh-CN',
  footer: {
    text: '您收到这封电子邮件，是因为您同意接收来自 {projectName} 的电子邮件。',
    link: '退订',
  },
  unsubscribe: {
    title: '退订',
    question: '您要停止在 {email} 接收来自 {projectName} 的电子邮件吗？',
    button: '退订',
    manageLink: '改为管理订阅',
    doneTitle: '您已退订',
    done: '您将不会再在 {email} 收到 {projectName} 的邮件通讯。',
    changedMind: '改变主意了？',
    again: '重新订阅',
  },
  subscribe: {
    title: '订阅',
    question: '您要在 {email} 接收来自 {projectName} 的电子邮件吗？',
    button: '订阅',
    doneTitle: '您已订阅',
    done: '您将在 {email} 收到 {projectName} 的电子邮件。',
  },
  manage: {
    title: '管理订阅',
    description: '决定是否在 {email} 接收 {projectName} 的电子邮件。',
    label: '您的订阅',
    subscribed: '您已订阅。',
    unsubscribed: '您已退订。',
    paused: '电子邮件已暂停至 {date}。',
    subscribedNote: '您的选择已保存。您将再次收到电子邮件。',
    unsubscribedNote: '您的选择已保存。您将不会再收到邮件通讯。',
    pausedNote: '您的选择已保存。在 {date} 之前，您不会收到邮件通讯。',
    unsubscribeLink: '前往退订页面',
    subscribeLink: '前往订阅页面',
    disclaimer:
      '这里指的是邮件通讯和优惠信息。与您的账户或订单有关的消息（例如收据和重置密码）仍可能发送给您。',
  },
  topics: {
    title: '您接收的内容',
    question: '您要停止在 {email} 接收来自 {projectName} 的“{topic}”吗？',
    everything: '退订全部',
  },
  snooze: {
    title: '或者先暂停一段时间',
    changeTitle: '更改暂停时间',
    label: '暂停电子邮件',
    durations: {
      '2_weeks': '2 周',
      '1_month': '1 个月',
      '6_months': '6 个月',
      '1_year': '1 年',
    },
    button: '暂停',
    resume: '立即恢复接收电子邮件',
  },
  faults: {
    brokenTitle: '出错了',
    broken: '请在几分钟后重试。',
    invalidTitle: '此链接无效',
    invalid: '链接可能不完整，或者该地址已被移除。请完全按照电子邮件中的链接打开。',
    choose: '请选择其中一个选项。',
    notSubscribed: '只有订阅中才能暂停。请先订阅。',
  },
}

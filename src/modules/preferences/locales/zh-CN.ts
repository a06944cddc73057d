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
  forms: {
    email: '电子邮件地址',
    optional: '选填',
    consent: '订阅即表示您同意接收 {projectName} 的邮件。您可以随时退订。',
    step: {
      title: '还差一步',
      text: '请按下按钮提交表单。',
      button: '提交',
    },
    asked: {
      title: '请查看您的收件箱',
      text: '如果该地址可以接收，一封带有链接的邮件正在发送途中。请打开链接并确认，之后才算订阅成功。如果没有收到，请查看垃圾邮件文件夹。此类邮件每天最多发送一封。',
    },
    confirm: {
      title: '确认您的订阅',
      button: '确认',
    },
    over: {
      title: '此链接已失效',
      text: '它已被使用、已过期，或已被更新的邮件取代。请重新填写表单。',
    },
    closed: {
      title: '此表单已关闭',
      text: '目前无法使用。',
    },
    faults: {
      email: '请输入有效的电子邮件地址。',
      refused: '我们无法向此地址发送邮件。请使用其他地址。',
      fields: '请检查标出的字段。',
      tooMany: '尝试次数过多。请稍后再试。',
    },
    mail: {
      subject: '请确认您对 {projectName} 的订阅',
      text: '有人（希望是您本人）申请用 {email} 接收 {projectName} 的邮件。请确认您愿意接收。',
      until: '链接在 {date} 之前有效。',
      ignore: '如果不是您本人操作，请忽略此邮件。您不会再收到其他邮件。',
    },
  },
  privacy: {
    title: '您的数据',
    offer:
      '您可以查看 {projectName} 在这里保存的有关您的信息，或要求将其删除。链接会通过电子邮件发送到 {email}，以免他人代您操作。',
    button: '把链接发给我',
    asked: '如果 {email} 能够接收，带有链接的邮件正在发送。每天最多发送一封。',
    mail: {
      subject: '您在 {projectName} 的数据',
      text: '有人（希望是您本人）请求查看 {projectName} 保存的有关 {email} 的信息。通过链接可以查看，也可以删除。',
      ignore: '如果不是您本人，请忽略此邮件。',
    },
    read: '查看',
    save: '保存为文件 (JSON)',
    erase: {
      title: '删除全部',
      text: '这里保存的有关 {email} 的信息将被永久删除，并且不再向该地址发送任何邮件。此操作无法撤销。',
      sure: '是的，删除',
      button: '删除',
      doneTitle: '正在删除您的数据',
      done: '只保留一个用于识别您地址的代码，以便不再向其发送邮件。',
    },
    over: '链接已过期，或者数据已被删除。我们邮件中的链接可以获取新链接。',
    parts: { contact: '您', fields: '字段', consent: '同意', events: '事件', messages: '邮件' },
    newest: '最新的 {number} 条。文件中包含全部。',
  },
  faults: {
    brokenTitle: '出错了',
    broken: '请在几分钟后重试。',
    invalidTitle: '此链接无效',
    invalid: '链接可能不完整，或者该地址已被移除。请完全按照电子邮件中的链接打开。',
    goneTitle: '此页面已不可用',
    gone: '链接是正确的，但发件人已改用其他邮件系统，此页面已不可用。',
    choose: '请选择其中一个选项。',
    notSubscribed: '只有订阅中才能暂停。请先订阅。',
  },
}

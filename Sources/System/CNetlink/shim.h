#pragma once
#include <net/if.h>
#include <sys/socket.h>
#include <linux/rtnetlink.h>
#include <sys/timerfd.h>

// Flags of enum type in one header and macros in another: named here once, as what they are used as.
static const unsigned int fascia_if_up = IFF_UP;
static const unsigned int fascia_if_running = IFF_RUNNING;
static const int fascia_netlink_header = NLMSG_HDRLEN;
static const int fascia_timer_step_flags = TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET;
static const int fascia_timer_open_flags = TFD_CLOEXEC | TFD_NONBLOCK;
static const unsigned int fascia_netlink_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
static const unsigned short fascia_netlink_dump_flags = NLM_F_REQUEST | NLM_F_DUMP;
